import { settings } from '../config.ts';

/** One line that says what is wrong with the host or the port, which comes from this setting, and what to do. */
export function explainListenError(
  error: unknown,
  host: string,
  port: number,
  setting: 'port' | 'metricsPort' = 'port',
): Error {
  const { code = '', syscall, message } = error as NodeJS.ErrnoException;
  const { flag, env } = settings[setting];
  return new Error(explanation(), { cause: error });

  function explanation(): string {
    if (code === 'EADDRINUSE')
      return `port ${port} is already in use on ${host}: choose another with --${flag} or ${env}`;
    if (code === 'EACCES')
      return `no permission to listen on port ${port}: choose one above 1023 with --${flag} or ${env}`;
    if (syscall === 'getaddrinfo')
      return `the host "${host}" is unknown (${code}): set --host or HOST to an address of this machine, such as 127.0.0.1`;
    if (code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT')
      return `this machine does not have the address ${host}: set --host or HOST to one that it has, such as 127.0.0.1`;
    return `cannot listen on ${host}, port ${port}: ${message}`;
  }
}
