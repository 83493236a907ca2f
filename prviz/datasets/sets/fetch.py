"""Find a file in the user's folder or in the cache, or download it and check its hash."""

import hashlib
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from pathlib import Path
from threading import Thread
from urllib.parse import urlsplit

from ...system.private import cache_folder as cache_folder

BASE_URL = (
    "https://raw.githubusercontent.com/gagolews/clustering-data-v1/"
    "27ac73a6fd331fb18181419838d2e753dd1b5f80/sipu"
)
TIMEOUT = 10.0  # seconds for a whole download with all retries
LARGEST_DOWNLOAD = 50_000_000  # bytes; every file that prviz requests is far smaller


class DataUnavailable(RuntimeError):
    """A data set that is not available; the message says what to do."""


def find(names: Sequence[str]) -> Path | None:
    """
    Return the first file of `names` in `PRVIZ_DATA_DIR` or the user's cache, or None.

    The files may be in the folder itself or in its subfolder `sipu` or `ising`.
    """
    for folder in _folders():
        for name in names:
            for path in (folder / "sipu" / name, folder / "ising" / name, folder / name):
                if path.is_file():
                    return path
    return None


def read_pinned(path: Path, sha256: str) -> bytes:
    """Read a file and check its sha256; `DataUnavailable` names the file, its hash and a remedy."""
    content = read(path)
    found = hashlib.sha256(content).hexdigest()
    if found != sha256:
        raise DataUnavailable(
            f"{path} is damaged or a different file (its sha256 is {found}, expected {sha256}): "
            f"delete it, or replace it by {BASE_URL}/{path.name}."
        )
    return content


def read(path: Path) -> bytes:
    """Read a file; `DataUnavailable` explains why it cannot be read."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise DataUnavailable(
            f"{path} cannot be read ({error.strerror}): fix its permissions, or move it."
        ) from None


def download(
    name: str, sha256: str | None, base_url: str | None = None, timeout: float = TIMEOUT
) -> bytes:
    """
    Download a file into the user's cache and return its content.

    Parameters
    ----------
    name : str
        File name below the base address.
    sha256 : str
        Expected sha256; None if the caller checks the content.
    base_url : str, optional
        Defaults to the environment variable `PRVIZ_DATA_URL`, else to `BASE_URL`.
    timeout : float, optional
        Timeout in seconds for the download, including one retry.

    Raises
    ------
    DataUnavailable
        The message has the cause and three ways to get the file.
    """
    import pooch

    base_url = base_url or os.environ.get("PRVIZ_DATA_URL") or BASE_URL
    url = f"{base_url.rstrip('/')}/{name}"

    def save(url: str, target: str, _: object) -> None:
        Path(target).write_bytes(_get(url, timeout))

    try:
        path = pooch.retrieve(
            url, sha256 and f"sha256:{sha256}", name, cache_folder(), downloader=save
        )
        return Path(path).read_bytes()
    except _DownloadFailed as error:
        cause = str(error)
    except ValueError:  # pooch raises this for a wrong hash
        cause = f"{url} has unexpected content"
    except OSError as error:
        cause = f"the cache folder cannot be written: {error.strerror or error}"
    raise DataUnavailable(
        f"{name} is not on this machine and could not be downloaded ({cause}): set "
        f"PRVIZ_DATA_DIR to a folder that contains it, put it into {cache_folder()}, "
        "or connect to the internet once."
    ) from None


class _DownloadFailed(Exception):
    """A download failed; the message says why, as part of a sentence."""


def _folders() -> Iterator[Path]:
    if folder := os.environ.get("PRVIZ_DATA_DIR"):
        yield Path(folder).expanduser()
    yield cache_folder()


def _get(url: str, timeout: float) -> bytes:
    """Return the body at `url`, or raise an error after `timeout` seconds."""
    from requests import exceptions

    host = urlsplit(url).netloc or url
    deadline = time.monotonic() + timeout
    for attempt in range(2):
        answer: Future[bytes] = Future()
        # a thread, because socket timeouts limit one read, not a DNS lookup or a slow stream
        Thread(target=_receive, args=(url, deadline, answer), daemon=True).start()
        try:
            return answer.result(max(0.0, deadline - time.monotonic()))
        except (TimeoutError, exceptions.Timeout):
            break
        except exceptions.HTTPError as error:
            status = error.response.status_code  # type: ignore[union-attr]
            raise _DownloadFailed(f"{host} answered {status}") from None
        except (exceptions.ChunkedEncodingError, exceptions.ContentDecodingError):
            cause = f"the connection to {host} was interrupted"
        except exceptions.ConnectionError:
            cause = f"no connection to {host}"
        except _DownloadFailed:
            raise
        except Exception as error:
            raise _DownloadFailed(f"{url}: {type(error).__name__}") from None
        if attempt == 1:
            raise _DownloadFailed(cause)
    raise _DownloadFailed(f"{host} did not answer in full within {timeout:g} s")


def _receive(url: str, deadline: float, answer: Future[bytes]) -> None:
    try:
        import requests

        body = bytearray()
        patience = max(0.001, deadline - time.monotonic())
        with requests.get(url, stream=True, timeout=patience) as response:
            response.raise_for_status()
            for chunk in response.iter_content(256):  # small, so that a slow stream is noticed soon
                body += chunk
                if time.monotonic() > deadline:
                    raise TimeoutError
                if len(body) > LARGEST_DOWNLOAD:
                    raise _DownloadFailed(f"{url} is far too large")
        answer.set_result(bytes(body))
    except Exception as error:
        answer.set_exception(error)
