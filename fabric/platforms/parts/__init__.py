"""Grammar that several systems share: FRR, iproute2, tc, sysctl, files and timers on POSIX systems."""
