"""One turn: a server in its own process under the load of h2load, and the CPU time that it took."""

import contextlib
import dataclasses
import http.client
import json
import math
import os
import pathlib
import re
import select
import subprocess
import time

START = 60
TIMEOUT = 300
# The length of a warm-up in seconds.
WARM_UP = 1


class Failure(Exception):
    """Why a server cannot be measured."""


@dataclasses.dataclass(frozen=True)
class Form:
    """A form to post, and what its body contains."""

    name: str
    content_type: str
    body: bytes
    # What a server answers that has parsed it.
    answer: dict


@dataclasses.dataclass(frozen=True)
class Reading:
    """What a turn has measured."""

    # Requests per second.
    rate: float
    # The server's CPU time for a request, in seconds; None if the system does not tell.
    cpu: float | None


def cores():
    """A core for servers and one for the load, or None and None if processes cannot be bound to them."""
    if not hasattr(os, "sched_getaffinity"):
        return None, None
    available = sorted(os.sched_getaffinity(0))
    return (available[0], available[1]) if len(available) > 1 else (None, None)


def bound_to(core, batch=False):
    """Options with which a new process runs on one core, and as a batch process if the system has these."""

    def prepare():
        if core is not None:
            os.sched_setaffinity(0, {core})
        if batch and hasattr(os, "SCHED_BATCH"):
            os.sched_setscheduler(0, os.SCHED_BATCH, os.sched_param(0))

    return {"preexec_fn": prepare}


@contextlib.contextmanager
def running(command, folder, core, batch):
    """Runs a server; yields its process and its port."""
    # Files go to the folder.
    environment = dict(os.environ, TMPDIR=str(folder))
    with open(folder / "log", "wb") as log:
        process = subprocess.Popen(
            command, cwd=folder, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log,
            **bound_to(core, batch),
        )
    try:
        ready = select.select([process.stdout], [], [], START)[0]
        line = process.stdout.readline().strip() if ready else b""
        if not line.isdigit():
            raise Failure("did not start: " + (folder / "log").read_text("utf-8", "replace")[-300:])
        yield process, int(line)
    finally:
        process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def check(port, subject, form):
    """Posts a form once, waiting until the server answers. Raises Failure if it has not read the form as it is."""
    deadline = time.monotonic() + START
    while True:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START)
        try:
            connection.request("POST", subject.path, form.body, {"Content-Type": form.content_type})
            response = connection.getresponse()
            answer = response.read()
            break
        except ConnectionRefusedError as error:
            if time.monotonic() > deadline:
                raise Failure("does not answer") from error
            time.sleep(0.05)
        except (OSError, http.client.HTTPException) as error:
            raise Failure(f"{type(error).__name__}: {error}") from error
        finally:
            connection.close()
    expected = form.answer if subject.parses else {"bytes": len(form.body)}
    with contextlib.suppress(ValueError):
        if response.status == 200 and json.loads(answer) == expected:
            return
    raise Failure(f"answered {response.status} {answer[:200]!r} to the {form.name} form, not {expected}")


def cpu_time(process):
    """The user and system time of a process and all its threads, in seconds; None if the system does not tell."""
    try:
        fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    except OSError:
        return None
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def load(url, form, path, connections, requests, core):
    """Posts a form many times with h2load; returns the requests per second. Raises Failure unless all succeed."""
    command = [
        "h2load", "--h1", "--threads=1", f"--clients={connections}", f"--requests={requests}",
        f"--data={path}", f"--header=Content-Type: {form.content_type}", url,
    ]
    try:
        result = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT, **bound_to(core))
    except subprocess.TimeoutExpired as error:
        raise Failure(f"h2load took more than {TIMEOUT} s") from error
    rate = re.search(r"^finished in .*, ([\d.]+) req/s", result.stdout, re.MULTILINE)
    succeeded = re.search(r"(\d+) succeeded", result.stdout)
    statuses = re.search(r"^status codes: (\d+) 2xx", result.stdout, re.MULTILINE)
    counts = [int(found[1]) for found in (succeeded, statuses) if found]
    if result.returncode != 0 or rate is None or counts != [requests, requests]:
        raise Failure(f"h2load: {(result.stdout + result.stderr).strip()[-500:]}")
    return float(rate[1])


def whole(requests, connections):
    """A number of requests that all connections share equally."""
    return max(1, math.ceil(requests / connections)) * connections


def requests_for(seconds, url, form, path, connections, core):
    """How many requests take as long, found by a warm-up."""
    requests = connections
    while True:
        rate = load(url, form, path, connections, requests, core)
        if requests / rate >= WARM_UP:
            return whole(rate * seconds, connections)
        requests = whole(max(2 * requests, rate * WARM_UP * 1.2), connections)


def take(command, subject, form, path, connections, requests, seconds, folder, batch):
    """Takes a turn with a new process; returns what it has measured, and the number of requests for the next turn.

    The number is fixed for all turns but the first, which finds it, so that each has the same work.
    """
    server_core, load_core = cores()
    with running(command, folder, server_core, batch) as (process, port):
        check(port, subject, form)
        url = f"http://127.0.0.1:{port}{subject.path}"
        if requests is None:
            requests = requests_for(seconds, url, form, path, connections, load_core)
        else:
            load(url, form, path, connections, whole(requests * WARM_UP / seconds, connections), load_core)
        before = cpu_time(process)
        rate = load(url, form, path, connections, requests, load_core)
        after = cpu_time(process)
        check(port, subject, form)
    return Reading(rate, None if before is None else (after - before) / requests), requests
