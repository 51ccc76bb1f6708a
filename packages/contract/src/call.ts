import type { z } from 'zod';
import { type DeskCallId, deskRoutes } from './desk-routes.ts';
import { type CallId, routes } from './routes.ts';
import { type keyHeader, refusal } from './shapes.ts';

/** What one call takes and answers. `refusals` are the statuses it may return besides the common ones. */
type CallShape = CallRepeated & {
  readonly summary: string;
  readonly section: string;
  readonly limit: CallLimit;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** JSON; when `files` is set, the text fields of a multipart form. */
  readonly body?: z.ZodObject;
  /** the call takes a multipart form with files. */
  readonly files?: FilesShape;
  /** The most bytes of the JSON body, where 64 KiB are not enough. */
  readonly bodyLimit?: number;
  /** The answer is the same for everybody; with its ETag, a browser that has it gets no second copy. */
  readonly tagged?: true;
  /**
   * On success the call answers 200 with a file of one of these media types instead of JSON; `answer` then
   * serves only for refusals.
   */
  readonly download?: readonly string[];
  readonly answer: z.ZodType;
  readonly refusals?: readonly RefusalStatus[];
  /** Every call of the front desk says it; others have none. */
  readonly shows?: Shows;
};

/**
 * Whether an answer at the front desk can carry anything of a patient beyond what the request names. An
 * answer of `patients` is sent only once the audit trail names them.
 */
export type Shows = 'patients' | 'noPatient';

/**
 * How the uses of a call are counted; the limits are the service's configuration. Every call is counted in
 * the memory of the process, by account when signed in, else by a browser that somebody signed in from, else by network:
 * - `reads`, more than any person makes;
 * - `changes`, fewer;
 * - `suggestions` and `failures`, fewer still;
 * - `tokens`, as many as a flood: what nobody guesses needs no other limit.
 *
 * Only this count bounds requests that write no row of their own, such as refused or repeated ones. Also
 * counted are:
 * - `holds`, `bookings`, `cancellations`, `drafts` and `agreements`: the patient's own rows, under the lock
 * that the call takes anyway;
 * - `shared`: in a table for all processes, for calls that could guess secrets, send mail or charge.
 */
export type CallLimit =
  | ('reads' | 'changes' | 'suggestions' | 'failures' | 'tokens' | 'shared')
  | ('holds' | 'bookings' | 'cancellations' | 'drafts' | 'agreements');

/**
 * What a repeat of the same request does:
 * - `key`: nothing, under the same Idempotency-Key. The use case stores the key in the transaction of what it
 * made. Our own pages must send one; for other clients the service derives it.
 * - `natural`: nothing more than the first did. Reading, setting and deleting are so by nature; a link or
 * code that is used up refuses the second.
 * - `none`: it makes one more message, agreement or email, which only the limit bounds. Our client does not
 * repeat the call by itself.
 */
type CallRepeated =
  | { readonly idempotency: 'key'; readonly headers: typeof keyHeader }
  | { readonly idempotency: 'natural' | 'none' };

export interface FilesShape {
  /** The most files of one form. */
  readonly most: number;
  readonly bytesEach: number;
  /** True when the call may also come as JSON, without files. */
  readonly optional?: true;
}

/** the statuses that carry the error envelope. */
export type RefusalStatus = 400 | 401 | 402 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 429 | 503;

const allRoutes = { ...routes, ...deskRoutes };
type AllRoutes = typeof allRoutes;
type AnyCallId = CallId | DeskCallId;

export type Call<Id extends AnyCallId = CallId, Shape extends CallShape = CallShape> = Shape & {
  readonly id: Id;
  readonly method: AllRoutes[Id][0];
  readonly path: AllRoutes[Id][1];
  readonly access: AllRoutes[Id][2];
};

/** A call of the patients' pages or of the front desk. */
export type AnyCall = Call<AnyCallId>;

/** Whether the specification does not have the call: no client but our own relies on it. */
export const isOurs = ({ section }: Pick<AnyCall, 'section'>): boolean =>
  section.endsWith('(ours)');

/** Joins a row of a route table with the call's schemas. */
export function call<const Id extends AnyCallId, const Shape extends CallShape>(
  id: Id,
  shape: Shape & (Id extends DeskCallId ? { readonly shows: Shows } : unknown),
): Call<Id, Shape> {
  const [method, path, access] = allRoutes[id];
  return { ...shape, id, method, path, access };
}

/** Any call can be malformed, too frequent, or meet a service that cannot answer. */
const commonRefusals = [400, 404, 413, 415, 422, 429, 500, 503];

/** Every status that a call can answer, with its schema. The service serialises by it and tests check it. */
export function answersOf({
  answer,
  access,
  refusals = [],
}: AnyCall): ReadonlyMap<number, z.ZodType> {
  const refused = [...commonRefusals, ...(access === 'public' ? [] : [401, 403]), ...refusals];
  return new Map([[200, answer], ...refused.map((status) => [status, refusal] as const)]);
}
