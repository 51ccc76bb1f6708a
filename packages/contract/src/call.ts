import type { z } from 'zod';
import { type DeskCallId, deskRoutes } from './desk-routes.ts';
import { type CallId, routes } from './routes.ts';
import { type keyHeader, refusal } from './shapes.ts';

/** What one call takes and answers. `refusals` are the statuses it may give beside the common ones. */
type CallShape = CallRepeated & {
  readonly summary: string;
  readonly section: string;
  readonly limit: CallLimit;
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly headers?: z.ZodObject;
  /** JSON; or, where `files` stands, the text fields of a multipart form. */
  readonly body?: z.ZodObject;
  /** the call takes a multipart form with files. */
  readonly files?: FilesShape;
  /** Bytes that the JSON body may have where 64 KiB is too little. */
  readonly bodyLimit?: number;
  /** The answer, the same for everybody, carries a tag; what a browser has already is not sent again. */
  readonly tagged?: true;
  /** A file in place of JSON answers 200; `answer` is then what a refusal is told from. */
  readonly download?: true;
  readonly answer: z.ZodType;
  readonly refusals?: readonly RefusalStatus[];
};

/**
 * How the uses of a call are counted; the figures are the service's configuration. Every call is
 * counted in the memory of the process, by account when signed in, else by address:
 * - `reads`, as many as no person makes;
 * - `changes`, fewer;
 * - `suggestions` and `failures`, fewer still.
 *
 * In that number alone what writes no row of its own is bounded, such as a refusal or a repeated
 * request. Beside it are counted:
 * - `holds`, `bookings`, `cancellations`, `drafts` and `agreements`: the patient's own rows, under
 * the lock that the call takes anyway;
 * - `shared`: in the table of all processes, as what guesses secrets, sends mail or charges.
 */
export type CallLimit =
  | ('reads' | 'changes' | 'suggestions' | 'failures' | 'shared')
  | ('holds' | 'bookings' | 'cancellations' | 'drafts' | 'agreements');

/**
 * What the same request does when it is sent again:
 * - `key`: nothing, under the same Idempotency-Key. The use case keeps the key in the transaction
 * of what it names. Our own pages must send one; for other clients the service derives it.
 * - `natural`: nothing that the first has not done. Reading, setting and deleting are so by nature;
 * a link or code that is used up refuses the second.
 * - `none`: it is one more message, agreement or email, which only its limit bounds. Our client
 * does not send it again by itself.
 */
type CallRepeated =
  | { readonly idempotency: 'key'; readonly headers: typeof keyHeader }
  | { readonly idempotency: 'natural' | 'none' };

export interface FilesShape {
  /** Files of one form. */
  readonly most: number;
  readonly bytesEach: number;
  /** Whether the call may also come as JSON, without files. */
  readonly optional?: true;
}

/** statuses that carry the error envelope. */
export type RefusalStatus = 400 | 401 | 402 | 403 | 404 | 409 | 413 | 415 | 422 | 429 | 503;

const allRoutes = { ...routes, ...deskRoutes };
type AllRoutes = typeof allRoutes;
type AnyCallId = CallId | DeskCallId;

export type Call<Id extends AnyCallId = CallId, Shape extends CallShape = CallShape> = Shape & {
  readonly id: Id;
  readonly method: AllRoutes[Id][0];
  readonly path: AllRoutes[Id][1];
  readonly access: AllRoutes[Id][2];
};

/** A call of the patients or of the front desk. */
export type AnyCall = Call<AnyCallId>;

/** Joins a row of a route table with its schemas. */
export function call<const Id extends AnyCallId, const Shape extends CallShape>(
  id: Id,
  shape: Shape,
): Call<Id, Shape> {
  const [method, path, access] = allRoutes[id];
  return { ...shape, id, method, path, access };
}

/** Any call can be malformed, too frequent, or meet a service that cannot answer. */
const commonRefusals = [400, 404, 413, 415, 422, 429, 500, 503];

/** Every status a call can answer, with its schema: what the service serialises and tests check. */
export function answersOf({
  answer,
  access,
  refusals = [],
}: AnyCall): ReadonlyMap<number, z.ZodType> {
  const refused = [...commonRefusals, ...(access === 'public' ? [] : [401, 403]), ...refusals];
  return new Map([[200, answer], ...refused.map((status) => [status, refusal] as const)]);
}
