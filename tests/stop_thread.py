"""Stops one thread of a process, as a debugger does, until this program is ended: stop_thread.py PID NAME."""

import ctypes
import os
import sys
import time

PTRACE_SEIZE, PTRACE_INTERRUPT = 0x4206, 0x4207


def main() -> None:
    pid, name = int(sys.argv[1]), sys.argv[2]
    libc = ctypes.CDLL(None, use_errno=True)
    libc.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]
    for thread in map(int, os.listdir(f"/proc/{pid}/task")):
        with open(f"/proc/{pid}/task/{thread}/comm") as comm:
            if comm.read().strip() == name:
                break
    else:
        sys.exit(f"no thread is called {name}")
    if libc.ptrace(PTRACE_SEIZE, thread, None, None) or libc.ptrace(PTRACE_INTERRUPT, thread, None, None):
        sys.exit("ptrace: " + os.strerror(ctypes.get_errno()))
    print("stopped", flush=True)
    time.sleep(300)


main()
