"""Loses the network of a connection, for test_longest_wait.py.

Some kernels let root alone do that, and sudo runs this module as a program.
"""
import ctypes
import socket
import struct
import subprocess
import sys

SO_ATTACH_FILTER = 26  # of Linux; the module socket does not know it


def of(connection):
    """Drop everything that is sent to the client, without an answer."""
    drop = ctypes.create_string_buffer(struct.pack("HBBI", 6, 0, 0, 0))
    try:
        connection.setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER,
                              struct.pack("HL", 1, ctypes.addressof(drop)))
    except PermissionError:
        subprocess.run(["sudo", "-n", sys.executable, __file__], check=True,
                       stdin=connection)


if __name__ == "__main__":
    of(socket.socket(fileno=0))
