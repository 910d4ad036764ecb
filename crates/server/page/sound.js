/** Sounds, made by the browser itself: wood on wood, dice, a little tune. */

import { settings } from "./settings.js";

/** @type {AudioContext | null} */
let context = null;

/**
 * A tone that fades.
 *
 * @param {number} pitch in Hertz
 * @param {number} delay in seconds
 * @param {number} length in seconds
 * @param {OscillatorType} [wave]
 * @param {number} [loudness]
 */
function tone(pitch, delay, length, wave = "sine", loudness = 0.12) {
  context ??= new AudioContext();
  const start = context.currentTime + delay;
  const volume = context.createGain();
  volume.gain.setValueAtTime(loudness, start);
  volume.gain.exponentialRampToValueAtTime(0.0005, start + length);
  const source = context.createOscillator();
  source.type = wave;
  source.frequency.setValueAtTime(pitch, start);
  source.frequency.exponentialRampToValueAtTime(pitch * 0.7, start + length);
  source.connect(volume).connect(context.destination);
  source.start(start);
  source.stop(start + length);
}

const TUNES = {
  roll: () => [0, 0.07, 0.13, 0.22].forEach((at) => tone(900 - at * 900, at, 0.06, "triangle", 0.09)),
  move: () => tone(230, 0, 0.12, "triangle", 0.2),
  capture: () => [0, 0.09].forEach((at) => tone(150 - at * 400, at, 0.22, "sawtooth", 0.1)),
  rosette: () => [523, 659, 784].forEach((pitch, at) => tone(pitch, at * 0.07, 0.2)),
  home: () => [392, 523].forEach((pitch, at) => tone(pitch, at * 0.1, 0.25)),
  pass: () => tone(180, 0, 0.25, "sine", 0.08),
  over: () => [392, 523, 659, 784].forEach((pitch, at) => tone(pitch, at * 0.14, 0.4)),
};

/** How long a phone shakes, in milliseconds, and rests between. @type {Partial<Record<keyof typeof TUNES, number[]>>} */
const SHAKES = { roll: [15], move: [10], capture: [40], rosette: [10, 30, 10], home: [25], over: [30, 40, 30, 40, 60] };

/** Plays a sound and shakes the phone, each unless it is off. @param {keyof typeof TUNES} name */
export function play(name) {
  if (settings.vibration && navigator.userActivation?.hasBeenActive) navigator.vibrate?.(SHAKES[name] ?? []);
  if (!settings.sound || !navigator.userActivation?.hasBeenActive) return;
  try {
    TUNES[name]();
  } catch {
    // Without a sound device the game goes on.
  }
}
