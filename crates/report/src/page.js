"use strict";
const plies = [...document.querySelectorAll(".ply")];
const place = document.getElementById("place");
const figure = document.querySelector("figure");
const graph = figure.querySelector("svg");
const cursor = figure.querySelector(".cursor");
let at = 0;
function show(next) {
  if (plies.length === 0) return;
  plies[at].classList.remove("current");
  at = Math.max(0, Math.min(plies.length - 1, next));
  plies[at].classList.add("current");
  place.textContent = `ply ${at + 1} of ${plies.length}`;
  const x = Number(figure.dataset.begin) + Number(figure.dataset.step) * (at + 1);
  cursor.setAttribute("x1", x);
  cursor.setAttribute("x2", x);
}
function slip(step) {
  let next = at + step;
  while (plies[next] && !plies[next].classList.contains("slip")) next += step;
  if (plies[next]) show(next);
}
const keys = {
  ArrowLeft: () => show(at - 1), ArrowRight: () => show(at + 1),
  Home: () => show(0), End: () => show(plies.length - 1),
  n: () => slip(1), p: () => slip(-1),
};
document.addEventListener("keydown", (event) => {
  const act = event.altKey || event.ctrlKey || event.metaKey ? undefined : keys[event.key];
  if (act) { event.preventDefault(); act(); }
});
for (const button of document.querySelectorAll("nav button")) {
  button.addEventListener("click", () => keys[button.dataset.key]());
}
graph.addEventListener("click", (event) => {
  const x = (event.clientX - graph.getBoundingClientRect().left) / graph.clientWidth * graph.viewBox.baseVal.width;
  show(Math.round((x - figure.dataset.begin) / figure.dataset.step) - 1);
});
graph.classList.add("stepping-graph");
document.querySelector("nav").classList.add("ready");
document.getElementById("plies").classList.add("stepping");
// A link to a ply works again after others were stepped to: then the address is the same, and does not change.
for (const link of document.querySelectorAll('a[href^="#ply-"]')) {
  link.addEventListener("click", () => show(Number(link.hash.replace("#ply-", "")) - 1));
}
const named = () => show(Number(location.hash.replace("#ply-", "")) - 1 || 0);
addEventListener("hashchange", named);
named();
