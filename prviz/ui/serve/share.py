"""The app, opened to everyone on this network: ``python -m prviz.ui.serve.share``.

Others may use up this machine's cores, within the limits of docs/serving.md; they can't read its
files. So it is done on purpose only: `streamlit run app.py` listens on this machine alone.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import socket
import sys

EVERYONE = "0.0.0.0"  # every interface
FIRST_PORT, MOST_PORTS = 8501, 100
WHITE_ON_BLACK, PLAIN = "\x1b[97;40m", "\x1b[0m"
NOWHERE = (
    "This machine has no network address. Connect it to a network, pass --address, or start the "
    "app locally with `streamlit run app.py`."
)


def own_address() -> str | None:
    """The address under which others on the network reach this machine; nothing is sent for it."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # a place that is nowhere: only the route is looked up
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith(("127.", "0.")) else address


def free_port() -> int:
    """The first free port from 8501 on."""
    for port in range(FIRST_PORT, FIRST_PORT + MOST_PORTS):
        with socket.socket() as tried, contextlib.suppress(OSError):
            if sys.platform != "win32":  # there it would let two servers have the same port
                tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            tried.bind((EVERYONE, port))
            return port
    raise OSError(f"No port from {FIRST_PORT} on is free. Pass another port with --port.")


def code(url: str, coloured: bool) -> str:
    """The address to be scanned, in blocks."""
    import segno

    drawn = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(drawn, compact=True)
    if not coloured:
        return drawn.getvalue()
    # Light squares must be light, whatever the terminal's own colours are.
    return "\n".join(f"{WHITE_ON_BLACK}{line}{PLAIN}" for line in drawn.getvalue().splitlines())


def main() -> None:
    """Show the address and serve until stopped."""
    parser = argparse.ArgumentParser(description="Open the app to everyone on this network.")
    parser.add_argument("--address", help="address of this machine, if it has several")
    parser.add_argument(
        "--port", type=int, help=f"port (default: the first free one from {FIRST_PORT})"
    )
    options = parser.parse_args()
    address = options.address or own_address()
    if address is None:
        sys.exit(NOWHERE)
    try:
        port = options.port or free_port()
    except OSError as error:
        sys.exit(str(error))

    url = f"http://{address}:{port}"
    with contextlib.suppress(UnicodeEncodeError):  # a terminal without such blocks
        print(code(url, sys.stdout.isatty()))
    print(f"Everyone on your network can now use the app, until you stop it with Ctrl-C: {url}")
    sys.stdout.flush()

    from prviz.ui.serve.streamlit_run import serve

    served = {
        "server.address": EVERYONE,
        "server.port": port,
        "server.baseUrlPath": "",
        "browser.serverAddress": address,  # else Streamlit asks an address on the internet
        "browser.serverPort": port,
    }
    try:
        sys.exit(serve(served))
    except KeyboardInterrupt:
        sys.exit(130)


if __name__ == "__main__":
    main()
