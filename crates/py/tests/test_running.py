"""Long work: other threads go on, Ctrl-C and exceptions end it, and a forked process can do it too."""

import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import puabi


def test_other_threads_run_during_a_solve():
    beats, stop = [], threading.Event()

    def beat():
        while not stop.wait(0.01):
            beats.append(time.monotonic())

    thread = threading.Thread(target=beat)
    thread.start()
    progress = []
    puabi.solve("blitz:3", progress=lambda done, total: progress.append((done, total)))
    stop.set()
    thread.join()
    assert len(beats) > 5 and progress and all(done <= total for done, total in progress)


@pytest.mark.parametrize(
    "work",
    [
        lambda progress: puabi.solve("masters:3", progress=progress),
        lambda progress: puabi.solve("masters:3").check(progress=progress),
        lambda progress: puabi.match("finkel:3", "greedy", "random", progress=progress),
        lambda progress: puabi.match("finkel:2", "greedy", "random", games=2000, progress=progress),
        lambda progress: puabi.league("finkel:2", ["greedy", "random"], games=2000, progress=progress),
    ],
)
def test_progress_ends_with_all_that_there_was_to_do(work):
    reports = []
    work(lambda done, total: reports.append((done, total)))
    done, total = reports[-1]
    assert done == total > 0


def test_the_line_of_progress_ends_at_all(capsys):
    puabi.match("finkel:2", "greedy", "random", games=2000, progress=True)
    assert capsys.readouterr().err.endswith("greedy against random: 100%\n")


def test_the_line_of_progress_names_rules_and_functions(capsys):
    def first(decision):
        return decision.moves[0]

    rules = 'name = "mine"\npath = "bell"\npieces = 1\n'
    puabi.solve(rules, progress=True)
    puabi.match(rules, first, "random", games=2000, progress=True)
    lines = capsys.readouterr().err.splitlines()
    assert any(line.startswith("first against random: ") for line in lines)
    assert all("path" not in line for line in lines)


def test_progress_may_be_an_empty_list_that_is_called():
    class Log(list):
        def __call__(self, done, total):
            self.append(done)

    log = Log()
    puabi.match("finkel:2", "greedy", "random", games=2000, progress=log)
    assert log


def test_a_failing_progress_ends_a_solve():
    def fail(done, total):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        puabi.solve("masters:4", progress=fail)


def test_ctrl_c_while_numpy_loads_is_an_exception():
    script = """
import sys
import puabi

class Interrupted:
    def find_spec(self, name, path, target=None):
        if name == "numpy":
            sys.meta_path.remove(self)
            raise KeyboardInterrupt

assert "numpy" not in sys.modules
sys.meta_path.insert(0, Interrupted())
try:
    puabi.Rules("finkel").chances
except KeyboardInterrupt:
    print("ended")
print(puabi.Rules("finkel").chances.sum())
"""
    told = subprocess.run([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True, check=True)
    assert told.stdout == "ended\n1.0\n"


@pytest.mark.parametrize(
    "work",
    [
        'puabi.solve("finkel")',
        'puabi.VecEnv("masters:5", 4, oracle=True)',
        'puabi.Rules("finkel").perft(16)',
        'puabi.match("finkel", "expectimax:4", "random", games=10**6)',
        'puabi.match("finkel", lambda decision: decision.moves[0], "random", games=10**6)',
        'puabi.match("finkel:5", "expectimax:2", "random")',
        'puabi.league("finkel", ["expectimax:4", "random"], games=10**6)',
        'puabi.VecEnv("finkel", 10**6).actions_of(lambda it: time.sleep(0.001) or it.moves[0])',
        "puabi.review(game, depth=8)",
    ],
)
def test_ctrl_c_ends_long_work(work, tmp_path):
    script = f"""
import time
import puabi
game = puabi.Game("finkel", seed=1)
while len(game.plies) < 200 and not game.is_finished():
    game.roll_dice()
    if game.is_waiting_for_move():
        game.make_move(game.find_available_moves()[-1])
print("begun", flush=True)
try:
    {work}
    print("was done before")
except KeyboardInterrupt:
    print("ended")
"""
    environment = os.environ | {"UR_DATA_DIR": str(tmp_path)}
    command = [sys.executable, "-c", script]

    def heed_ctrl_c():
        # A shell starts what runs in its background deaf to it, and children inherit that.
        signal.signal(signal.SIGINT, signal.default_int_handler)

    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=environment, preexec_fn=heed_ctrl_c
    ) as process:
        assert process.stdout.readline() == "begun\n"
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        try:
            assert process.communicate(timeout=20)[0] == "ended\n"
        finally:
            process.kill()


def test_a_forked_process_can_work():
    table, env = puabi.solve("finkel:2"), puabi.VecEnv("finkel:2", 8, oracle=True)
    child = os.fork()
    if child == 0:
        is_right = puabi.match("finkel:2", "greedy", "perfect", games=200, seed=1).games == 200
        puabi.solve("blitz:2")
        env.step(env.actions_of("perfect"))
        is_right &= table.value(0) == table.values[0] and not env.regret.any()
        os._exit(0 if is_right else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_threads_work_beside_each_other():
    expected, found = puabi.match("finkel:2", "greedy", "random").a_mean, []

    def work():
        table = puabi.solve("finkel:3")
        found.append((table.value(0), puabi.match("finkel:2", "greedy", "random").a_mean))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [(puabi.solve("finkel:3").value(0), expected)] * 8
