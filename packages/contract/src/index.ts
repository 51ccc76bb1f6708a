import type { z } from 'zod';
import { accountCalls } from './account.ts';
import { appointmentCalls } from './appointments.ts';
import { clinicCalls } from './clinic.ts';
import { deskCalls } from './desk/index.ts';
import type { DeskCallId } from './desk-routes.ts';
import { doctorCalls } from './doctors.ts';
import { formCalls } from './forms.ts';
import { messageCalls } from './messages.ts';
import { pharmacyCalls } from './pharmacies.ts';
import type { CallId } from './routes.ts';
import { signInCalls } from './sign-in.ts';

/** Every call for patients. The service registers no others; the system tests go through them all. */
export const calls = {
  ...accountCalls,
  ...doctorCalls,
  ...appointmentCalls,
  ...clinicCalls,
  ...formCalls,
  ...pharmacyCalls,
  ...messageCalls,
  ...signInCalls,
} as const satisfies { readonly [Id in CallId]: { readonly id: Id } };

export { deskCalls };
/** The calls of both doors, the patients' and the front desk's. */
type Calls = typeof calls & {
  readonly [Id in DeskCallId]: (typeof deskCalls)[Id];
};
type AnyCallId = CallId | DeskCallId;

type Part<C, Key extends string> = C extends { readonly [K in Key]: infer S extends z.ZodType }
  ? z.input<S>
  : undefined;

/** What a caller passes; parts that a call does not have are absent. */
export type CallInput<Id extends AnyCallId> = OmitUndefined<{
  params: Part<Calls[Id], 'params'>;
  query: Part<Calls[Id], 'query'>;
  headers: Headers<Calls[Id]>;
  body: Part<Calls[Id], 'body'>;
}>;

/** A call with idempotency 'key' requires the key. */
type Headers<C> = C extends { readonly idempotency: 'key' }
  ? Part<C, 'headers'> & { readonly 'idempotency-key': string }
  : Part<C, 'headers'>;

/** Calls that may be repeated when no answer came. */
export type RepeatableId = {
  [Id in CallId]: Calls[Id]['idempotency'] extends 'none' ? never : Id;
}[CallId];

export type CallAnswer<Id extends AnyCallId> = z.output<Calls[Id]['answer']>;

type OmitUndefined<T> = { [K in keyof T as T[K] extends undefined ? never : K]: T[K] };

export {
  answersOf,
  isOurs,
  type AnyCall,
  type Call,
  type CallLimit,
  type FilesShape,
  type RefusalStatus,
} from './call.ts';
export { slotChange } from './doctors.ts';
export { type FormCallId, WEEK_FIELDS, olderForms } from './older-forms.ts';
export { type ApiFieldError, type ApiRefusal, refusal, threeFiles } from './shapes.ts';
export { deskRoutes, type DeskCallId } from './desk-routes.ts';
export { routes, type CallId } from './routes.ts';
/** The shapes of the API, as types: browsers take nothing else from the schemas. */
export type * from './account.ts';
export type * from './appointments.ts';
export type * from './clinic.ts';
export type * from './desk/index.ts';
export type * from './doctors.ts';
export type * from './forms.ts';
export type * from './messages.ts';
export type * from './pharmacies.ts';
