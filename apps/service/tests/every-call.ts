import { type Call, type CallId, calls } from '@clinic/contract';

/** The registry that every system test goes through: a call is covered on the day it is registered. */
export const everyCall: readonly Call[] = Object.values(calls);
export const everyCallId = everyCall.map(({ id }) => id);
export const patientCalls = everyCall.filter(({ access }) => access === 'patient');
/** Calls whose body Fastify reads. */
export const callsWithBody = everyCall.filter(({ method }) => method !== 'GET');

/** One value per call; a call that is missing does not compile. */
export type PerCall<T> = { readonly [Id in CallId]: T };

/** The full numbers with LONG=1 (`npm run test:long`). */
export const LONG = process.env.LONG === '1';
