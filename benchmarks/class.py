"""Measure a class of simulated phones: delay of bets, and CPU and memory of the server.

Run ``python benchmarks/class.py``. It starts a real server. Each phone has two connections, as a
browser has: one waits for changes, one sends bets. Like the real page, the projector waits 60 ms
between requests; the time to draw is not included. A question takes 10 s
here, and ten times as long in a lesson, so the share of CPU is an upper limit.

The second table has the delays and the CPU time while three real browsers (projector, notes, and a
phone of 390 px) play the 10-minute lesson. The CPU time includes the lesson's pages and searches.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import math
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import psutil
from common import Report

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from serving import Server  # noqa: E402

from prviz.classroom.plans import PLANS  # noqa: E402
from tools import chromium  # noqa: E402

SECRET = "a-secret-of-a-benchmark"
STARTS = 25.0  # seconds until the server has loaded its kernels
QUESTION = 10.0  # seconds
BETS = 6.0  # seconds in which all phones bet
REST = 0.06  # seconds between requests of the projector
ASKED = {"words": "Kept or reverted?", "kind": "word", "choices": ["kept", "reverted"]}


class Line:
    """A connection to the server that is kept open."""

    def __init__(self, port: int, **headers: str):
        self._port, self._headers = port, headers
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self.received = 0

    async def ask(self, path: str, body: Any = None, **more: str) -> Any:
        """Return the JSON of an answer; None if it is not JSON."""
        if self._streams is None or self._streams[0].at_eof():  # the server closes idle connections
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        content = b"" if body is None else json.dumps(body).encode()
        head = {"Host": "class", "Content-Length": str(len(content)), **self._headers, **more}
        lines = [f"{'GET' if body is None else 'POST'} {path} HTTP/1.1"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in head.items()]
        writer.write("\r\n".join([*lines, "", ""]).encode() + content)
        answer = (await reader.readuntil(b"\r\n\r\n")).decode().lower()
        length = int(answer.partition("content-length: ")[2].partition("\r\n")[0] or 0)
        text = await reader.readexactly(length)
        self.received += len(answer) + length
        assert answer.startswith(("http/1.1 200", "http/1.1 303")), (path, answer, text)
        return json.loads(text) if text[:1] == b"{" else None


class Phone:
    """A simulated phone that receives every change of the class."""

    def __init__(self, port: int):
        self.waits, self.bets = Line(port), Line(port)
        self.id, self.place, self.number = "", -1, 0
        self.choices: list[str] = []  # choices of the question; empty if it asks for a number
        self.asked = asyncio.Event()

    async def join(self) -> None:
        """Join, and then wait for changes without end."""
        me = await self.waits.ask("/class/join", {})
        self.id, self.place, mark = me["id"], me["place"], me["mark"]
        while True:
            state = await self.waits.ask(f"/class/phone?since={mark}", Class_Id=self.id)
            mark = state["mark"]
            if state["phase"] == "asking" and state["number"] != self.number:
                self.number, self.choices = state["number"], state["question"]["choices"]
                self.asked.set()

    async def bet(self, sent: dict[tuple[int, int], float]) -> None:
        """Send one bet after a random delay."""
        await self.asked.wait()
        self.asked.clear()
        await asyncio.sleep(random.uniform(0.0, BETS))
        sent[self.number, self.place] = time.perf_counter()
        bet = random.choice(self.choices) if self.choices else random.randint(1, 50)
        await self.bets.ask("/class/bet", {"number": self.number, "bet": bet}, Class_Id=self.id)

    async def bet_always(self, sent: dict[tuple[int, int], float]) -> None:
        """Bet once on every question."""
        while True:
            await self.bet(sent)


async def project(line: Line, seen: dict[tuple[int, int], float]) -> None:
    """Record when each bet reaches the projector."""
    mark = ""
    while True:
        state = await line.ask(f"/class/projector?since={mark}")
        mark = f"{state['session']}-{state['beat']}"
        for place, _ in state.get("bets", []):
            seen.setdefault((state["number"], place), time.perf_counter())
        await asyncio.sleep(REST)


async def play(server: Server, people: int, questions: int) -> dict[str, float]:
    """Return the measurements: seconds, shares and bytes.

    With ``questions=0``, browsers play the 10-minute lesson.
    """
    process = psutil.Process(server.process.pid)
    cookie = {"Cookie": f"prviz-lecturer={SECRET}"}
    lead, screen = Line(server.port, **cookie), Line(server.port, **cookie)
    sent: dict[tuple[int, int], float] = {}
    seen: dict[tuple[int, int], float] = {}
    tasks = [asyncio.create_task(project(screen, seen))]
    first = Phone(server.port)  # the first request makes the server load its modules
    tasks.append(asyncio.create_task(first.join()))
    await asyncio.sleep(3.0)
    before = process.memory_info().rss
    phones = [Phone(server.port) for _ in range(people - 1)]
    for phone in phones:
        tasks.append(asyncio.create_task(phone.join()))
        await asyncio.sleep(0.06)
    phones.append(first)
    await asyncio.sleep(1.0)
    began, spent = time.perf_counter(), _cpu(process)
    for _ in range(questions):
        await lead.ask("/class/ask", {"question": ASKED})
        bets = [asyncio.create_task(phone.bet(sent)) for phone in phones]
        await asyncio.sleep(QUESTION)
        await asyncio.gather(*bets)
        await lead.ask("/class/reveal", {"answer": "kept"})
    if not questions:
        tasks += [asyncio.create_task(phone.bet_always(sent)) for phone in phones]
        questions = await asyncio.to_thread(lead_lesson, server.address, people)
    await asyncio.sleep(1.0)
    lasted, spent = time.perf_counter() - began, _cpu(process) - spent
    memory = (process.memory_info().rss - before) / (people - 1)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    delays = sorted(seen[bet] - at for bet, at in sent.items())
    received = sum(phone.waits.received + phone.bets.received for phone in phones)
    return {
        "bets": len(delays),
        "median": delays[len(delays) // 2],
        "p95": delays[math.ceil(0.95 * len(delays)) - 1],
        "cpu": spent / lasted,
        "memory": memory,
        "sent": received / people / questions,
    }


def lead_lesson(address: str, people: int) -> int:
    """Press the keys named in the notes, to the last answer; return the number of questions."""
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=60_000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium.find())
        screen = browser.new_context(viewport={"width": 1280, "height": 720})
        projector = screen.new_page()
        projector.goto(f"{address}/lecture?key={SECRET}")
        notes = screen.new_page()
        notes.goto(f"{address}/learn?lesson=1&notes=1")
        phone = browser.new_context(viewport={"width": 390, "height": 844}).new_page()
        phone.goto(f"{address}/join")
        projector.get_by_role("link", name="10-minute").click()
        panel = projector.locator(".pv-classroom")
        expect(panel).to_contain_text(f"{people + 1} people are here")

        def press(does: str) -> None:
            expect(notes.locator(".next")).to_contain_text(f"page down: {does}")
            projector.bring_to_front()
            projector.keyboard.press("PageDown")

        press("hide the address")
        stops = [step.stop for step in PLANS["10"] if step.stop.isdecimal()]
        for after in [*stops[1:], ""]:
            press("play")
            press("ask")
            words = phone.get_by_role("textbox")
            choice = phone.locator("main button, main input")
            expect(choice.first).to_be_visible()
            if words.count():
                words.fill("30")
                phone.get_by_role("button", name="Bet").click()
            else:
                choice.first.click()
            expect(panel).to_contain_text(f"{people + 1} of {people + 1} have bet")
            press("show the answer")
            expect(panel).to_contain_text("right")
            projector.wait_for_timeout(1600)  # Page Down does nothing for 1.5 s after an answer
            if after:
                press(f"go to lesson {after}")
        browser.close()
    return len(stops)


def _cpu(process: psutil.Process) -> float:
    times = process.cpu_times()
    return times.user + times.system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--people", type=int, default=100)
    parser.add_argument("--questions", type=int, default=5)
    options = parser.parse_args()
    report = Report(
        "A class of phones",
        f"`benchmarks/class.py`: {options.people} simulated phones and a projector, on the "
        f"machine of the server. The first table has {options.questions} questions of "
        f"{QUESTION:g} s each.",
    )
    for title, questions in (
        ("Measured", options.questions),
        ("While three browsers play the 10-minute lesson", 0),
    ):
        with (
            tempfile.TemporaryDirectory() as folder,
            Server(Path(folder) / "log.txt", PRVIZ_CLASS=SECRET) as server,
        ):
            time.sleep(STARTS)
            found = asyncio.run(play(server, options.people, questions))
        rows = [
            ("delay from a bet to the projector, median", "", f"{1000 * found['median']:.0f} ms"),
            ("the same, 95th percentile", "≤ 300 ms", f"{1000 * found['p95']:.0f} ms"),
            ("CPU of the server, share of a core", "≤ 30 %", f"{100 * found['cpu']:.1f} %"),
        ]
        if questions:
            rows += [
                ("memory of the server per phone", "≤ 100 kB", f"{found['memory'] / 1000:.0f} kB"),
                ("sent to a phone per question", "≤ 5 kB", f"{found['sent'] / 1000:.1f} kB"),
            ]
        report.table(title, ["what", "goal", "measured"], rows, f"n = {found['bets']} bets.")
    report.write("class")


if __name__ == "__main__":
    main()
