"""Ends a server with its standard input, so that none outlives the test that started it."""

import os
import sys
import threading


def end_with_input():
    def wait():
        sys.stdin.buffer.read()
        os._exit(0)

    threading.Thread(target=wait, daemon=True).start()
