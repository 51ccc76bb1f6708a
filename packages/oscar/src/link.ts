/** What every group of calls works with. */
import type { Rest } from './rest.ts';
import type { Soap } from './soap.ts';
import type { Way } from './transport.ts';

export interface Link extends Way {
  readonly rest: Rest;
  readonly soap: Soap;
}
