/** A command that runs another one on a disk that takes so much longer for every fsync. Needs strace, and permission to trace. */
export const delayedFsync = (ms: number): readonly string[] => [
  ...['strace', '-f', '--seccomp-bpf', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
  ...['-e', `inject=fsync,fdatasync:delay_exit=${ms * 1000}`],
];
