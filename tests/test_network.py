"""No test can reach the network, because of `--allow-hosts` in pyproject.toml."""

import socket

import pytest
from cases import cases
from pytest_socket import SocketConnectBlockedError


@pytest.mark.filterwarnings("ignore:A test tried to use socket")
@cases("kind", [socket.SOCK_STREAM, socket.SOCK_DGRAM])
def test_connect_rejects_public_addresses(kind):
    with socket.socket(type=kind) as client, pytest.raises(SocketConnectBlockedError):
        client.connect(("192.0.2.1", 9))  # reserved for documentation: nothing answers
