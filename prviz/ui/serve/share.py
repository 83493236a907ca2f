"""Open the app to everyone on this network: ``python -m prviz.ui.serve.share``.

Others can then use this machine's cores, within the limits of docs/serving.md, but cannot read its
files. Without this command, `streamlit run app.py` serves only this machine.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import secrets
import socket
import sys

CLASS = "PRVIZ_CLASS"  # environment variable: the lecturer's secret
EVERYONE = "0.0.0.0"  # every interface
FIRST_PORT, MOST_PORTS = 8501, 100
WHITE_ON_BLACK, PLAIN = "\x1b[97;40m", "\x1b[0m"
NOWHERE = (
    "This machine has no network address. Connect it to a network, pass --address, or start the "
    "app locally with `streamlit run app.py`."
)


def own_address() -> str | None:
    """Return this machine's address in the network; nothing is sent."""
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # looks up the route; for UDP, this sends nothing
        except OSError:
            return None
        address = probe.getsockname()[0]
    return None if address.startswith(("127.", "0.")) else address


def is_free(port: int) -> bool:
    """Return True if a server can listen on a port."""
    with socket.socket() as tried, contextlib.suppress(OSError, OverflowError):
        if sys.platform != "win32":  # on Windows, SO_REUSEADDR lets two servers share a port
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        tried.bind((EVERYONE, port))
        return True
    return False


def free_port() -> int:
    """Return the first free port from 8501 on."""
    for port in range(FIRST_PORT, FIRST_PORT + MOST_PORTS):
        if is_free(port):
            return port
    raise OSError(f"No port from {FIRST_PORT} on is free. Pass another port with --port.")


def code(url: str, coloured: bool) -> str:
    """Return a QR code of the address, in block characters."""
    import segno

    drawn = io.StringIO()
    segno.make(url, error="m", micro=False).terminal(drawn, compact=True)
    if not coloured:
        return drawn.getvalue()
    # Light squares must be light with any colours of the terminal.
    return "\n".join(f"{WHITE_ON_BLACK}{line}{PLAIN}" for line in drawn.getvalue().splitlines())


def main() -> None:
    """Show the address and serve until stopped."""
    parser = argparse.ArgumentParser(description="Open the app to everyone on this network.")
    parser.add_argument("--address", help="address of this machine, if it has several")
    parser.add_argument(
        "--port", type=int, help=f"port (default: the first free port from {FIRST_PORT})"
    )
    options = parser.parse_args()
    try:
        sys.exit(share(options.address, options.port))
    except KeyboardInterrupt:
        sys.exit(130)


def share(address: str | None = None, port: int | None = None, *more: str) -> int:
    """Show the addresses, for everyone and for the lecturer, and serve until stopped.

    Parameters
    ----------
    address : str, optional
        Address of this machine.
    port : int, optional
        By default, the first free port from 8501 on.
    more : str
        Command-line options of ``streamlit run``.

    Returns
    -------
    int
        The exit status.
    """
    address = address or own_address()
    if address is None:
        sys.exit(NOWHERE)
    try:
        port = port or free_port()
    except OSError as error:
        sys.exit(str(error))
    if not is_free(port):
        sys.exit(f"Port {port} cannot be used. Pass another port with --port.")

    url = f"http://{address}:{port}"
    with contextlib.suppress(UnicodeEncodeError):  # the terminal may lack block characters
        print(code(url, sys.stdout.isatty()))
    print(f"Everyone on your network can now use the app, until you stop it with Ctrl-C: {url}")
    secret = os.environ.setdefault(CLASS, secrets.token_urlsafe(12))
    print(f"Phones of a class join at {url}/join")
    print(f"Your own link, to lead a class (keep it secret): {url}/lecture?key={secret}")
    sys.stdout.flush()

    from prviz.ui.serve.streamlit_run import serve

    served = {
        "server.address": EVERYONE,
        "server.port": port,
        "server.baseUrlPath": "",
        "browser.serverAddress": address,  # otherwise Streamlit asks a web service for it
        "browser.serverPort": port,
    }
    return serve(served, *more)


if __name__ == "__main__":
    main()
