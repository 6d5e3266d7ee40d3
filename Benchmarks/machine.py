"""How busy the machine is before a benchmark. Figures from a busy machine mean little."""
import os
import time

NOISE = 0.2


def processors_taken(seconds=2):
    """Processors that other processes use while this one waits. Other guests of the host are not counted."""

    def ticks():
        user, nice, system, _, _, irq, softirq = map(int, open("/proc/stat").readline().split()[1:8])
        return user + nice + system + irq + softirq

    before = ticks()
    time.sleep(seconds)
    return (ticks() - before) / os.sysconf("SC_CLK_TCK") / seconds


def describe(taken):
    text = f"{os.cpu_count()} processors, {taken:.2f} of them busy before the start"
    return text + (": THE MACHINE WAS NOISY" if taken > NOISE else "")
