import { after } from 'node:test';
import { type Service, type ServiceOptions, startService } from './service/service.ts';

/** One service for all tests of a file, for files whose tests do not affect each other. */
export function startServiceForFile(options?: ServiceOptions): Promise<Service> {
  return startService({ after }, options);
}
