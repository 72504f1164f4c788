"""Opens the listener's page in a browser, which submits the forms, and waits until it is done.

Usage: python browser.py (chromium | firefox-esr) ADDRESS, where ADDRESS ends in /record
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import urllib.request

# Turns off first-run pages, updates and reports.
PREFERENCES = {
    "app.update.enabled": "false",
    "app.normandy.enabled": "false",
    "browser.aboutwelcome.enabled": "false",
    "browser.shell.checkDefaultBrowser": "false",
    "datareporting.policy.dataSubmissionEnabled": "false",
    "toolkit.telemetry.enabled": "false",
    "network.captive-portal-service.enabled": "false",
    "network.connectivity-service.enabled": "false",
}


def command(browser, profile, page):
    if browser == "chromium":
        options = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
        return [browser, *options, "--disable-background-networking", f"--user-data-dir={profile}", page]
    lines = [f'user_pref("{name}", {value});\n' for name, value in PREFERENCES.items()]
    (pathlib.Path(profile) / "user.js").write_text("".join(lines))
    return [browser, "--headless", "--no-remote", "--profile", profile, page]


def main():
    browser, address = sys.argv[1:]
    words = subprocess.run([browser, "--version"], capture_output=True, check=True, text=True).stdout.split()
    print("version\t" + next(word for word in words if word[0].isdigit()))
    page = address.removesuffix("record")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        environment = dict(os.environ, HOME=profile, MOZ_CRASHREPORTER_DISABLE="1")
        process = subprocess.Popen(
            command(browser, profile, page), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            # Answered when the page is done.
            with urllib.request.urlopen(page + "wait/done", timeout=120) as answer:
                if answer.read():
                    sys.exit("the page failed")
        finally:
            process.terminate()
            process.wait(30)


if __name__ == "__main__":
    main()
