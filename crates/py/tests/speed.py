"""Measures what docs/python.md promises, in time of one processor, and fails below half of it: other work may run beside.

    python speed.py

Takes a wheel built for release. The table of full finkel is measured if the user's library has it.
"""

import subprocess
import sys
import time
from pathlib import Path

import numpy as np

import puabi

N, MILLION = 4096, 1_000_000
faults = []


def report(what, found, goal, unit, is_least=True):
    is_met = found >= goal / 2 if is_least else found <= goal * 2
    print(f"{what:44} {found:8.2f} {unit} (goal: {'at least' if is_least else 'at most'} {goal:g})")
    if not is_met:
        faults.append(what)


def seconds(work):
    """Returns the processor time of some work, the least of five."""
    times = []
    for _ in range(5):
        start = time.process_time()
        work()
        times.append(time.process_time() - start)
    return min(times)


def speed(env, see=lambda: None, steps=50):
    """Returns the millions of steps a second of random play."""

    def play():
        for _ in range(steps):
            see()
            env.step(env.sample())

    play()
    return steps * env.n / seconds(play) / MILLION


def memory(kind):
    """Returns the megabytes of memory that this process has: all of it, VmRSS, or its own without files, RssAnon."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 / MILLION for line in lines if line.startswith(kind))


def import_seconds():
    """Returns the processor time that `import puabi` takes in a new process, the least of five."""
    script = "import time; began = time.process_time(); import puabi; print(time.process_time() - began)"
    runs = [subprocess.run([sys.executable, "-c", script], capture_output=True, check=True) for _ in range(5)]
    return min(float(run.stdout) for run in runs)


def look_ups(table):
    indices, values = np.random.default_rng(1).integers(len(table), size=MILLION), table.values
    return 1e9 * seconds(lambda: values[indices]) / MILLION, 1e9 * seconds(lambda: table.value(indices)) / MILLION


report("import", 1e3 * import_seconds(), 50, "ms", is_least=False)
report("random steps of finkel, n = 4096", speed(puabi.VecEnv("finkel", N, seed=1)), 5, "million a second")
table = puabi.Table.find("finkel")
if table:
    before, values = memory("VmRSS"), table.values
    values[len(values) // 2]
    report("memory with the values of finkel open", memory("VmRSS"), 50, "MB", is_least=False)
    # How much of a file the system maps with a value depends on how it holds the file: from 64 kB to 2 MB.
    values[:: len(values) // 100].sum()
    print(
        f"{'':44} {before:8.2f} MB before; with 100 values {memory('VmRSS'):.0f}, without files {memory('RssAnon'):.0f}"
    )
else:
    table = puabi.solve("finkel:4")
env = puabi.VecEnv(table.rules, N, seed=1, oracle=table)
name = table.rules.name
report(f"the same of {name} with values and regret", speed(env, env.values), 1, "million a second")
view, checked = look_ups(table)
report(f"look-up in values of {name}", view, 60, "ns", is_least=False)
report(f"look-up by value() of {name}", checked, 60, "ns", is_least=False)
sys.exit(f"too slow: {', '.join(faults)}" if faults else 0)
