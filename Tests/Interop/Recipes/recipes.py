"""Installs and starts the servers of others that the recipes' tests upload to.

Usage: python3 recipes.py --check NAME    exit code 0 if the server can run here, else 1, and the reason
       python3 recipes.py NAME            starts it; prints a line of JSON, and ends with its standard input
"""

import os
import pathlib
import shutil
import sys

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from peers import RECIPES, Missing  # noqa: E402


def main():
    names = {peer.name: peer for peer in RECIPES}
    words = sys.argv[1:]
    if not words or words[-1] not in names:
        sys.exit(f"usage: recipes.py [--check] {' | '.join(names)}")
    peer = names[words[-1]]
    try:
        # Debian packages are small here, but a JDK is not: it must be there.
        values = peer.prepare(HERE, installing=bool(peer.packages) and shutil.which(peer.program) is not None)
    except Missing as reason:
        sys.exit(f"{peer.name}: {reason}")
    if words[0] == "--check":
        return
    command = [word.format(**values) for word in peer.command]
    os.execvp(command[0], command)


main()
