"""What is done behind a turn."""

import threading

from arxivscout.agent.later import Later


def test_work_is_done_in_its_order_whatever_fails() -> None:
    later, done = Later(), []
    held = threading.Event()
    later.run(held.wait)
    for n in range(50):
        later.run(lambda n=n: done.append(n) if n % 7 else 1 / 0)
    held.set()
    assert later.wait(20)
    assert done == [n for n in range(50) if n % 7]
    later.run(lambda: done.append(50))  # also when a thread has ended
    assert later.wait(20) and done[-1] == 50


def test_a_turn_waits_for_what_teaches_its_person_and_for_nothing_else() -> None:
    later, held, taught = Later(), threading.Event(), []
    assert later.wait(0)
    later.run(lambda: taught.append("ann"), teaches="ann")
    assert later.wait(20, teaches="ann") and taught == ["ann"]
    later.run(held.wait)
    assert later.wait(20, teaches="ann")
    assert not later.wait(0.01)
    later.run(lambda: taught.append("bea"), teaches="bea")
    assert not later.wait(0.01, teaches="bea")
    assert later.wait(20, teaches="ann")
    held.set()
    assert later.wait(20, teaches="bea") and taught == ["ann", "bea"]


def test_many_begin_work_at_once_and_none_is_lost() -> None:
    later, done = Later(), []
    begun = [threading.Thread(target=later.run, args=(lambda: done.append(1),)) for _ in range(40)]
    for each in begun:
        each.start()
    for each in begun:
        each.join()
    assert later.wait(20) and len(done) == 40
