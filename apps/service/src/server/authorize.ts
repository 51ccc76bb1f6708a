import { type AnyCall, deskRoutes } from '@clinic/contract';
import type { FastifyRequest } from 'fastify';
import { Refusal, refuse } from './refusal.ts';

/** Denies by default: without a session of its kind, patient or staff, only a public call is let in. */
export async function authorize(call: AnyCall, request: FastifyRequest): Promise<Refusal | null> {
  if (call.access === 'patient') return admitPatient(call, request);
  if (!Object.hasOwn(deskRoutes, call.id)) return null;
  const staff = (await request.server.callHost.admitStaff?.(call, request)) ?? null;
  if (staff instanceof Refusal) return staff;
  request.staff = staff;
  return staff === null && call.access !== 'public' ? refuse('deskSignedOut') : null;
}

/** True when nobody may be looking: the page sent the request by itself, or asked for no content. */
export const isBackground = ({ headers, method }: FastifyRequest) =>
  headers['x-background'] === '1' || method === 'HEAD';

async function admitPatient(call: AnyCall, request: FastifyRequest) {
  const { sessions } = request.server.platform;
  const { exchangeLink } = request.server.callHost;
  const { now, headers } = request;
  const token = tokenOf(headers);
  if (token === null) return refuse('tokenNotValid');
  const found = await sessions.find(token, now);
  if (found.kind === 'none') {
    // a token that is no session may be a dashboard link, which is taken for `GET /me` alone.
    const mayExchange = call.id === 'getMe' && request.method === 'GET';
    if (!mayExchange || !exchangeLink) return refuse('tokenNotValid');
    const userAgent = headers['user-agent'] ?? '';
    const exchanged = await exchangeLink({ token, now, userAgent, from: request.from });
    if (exchanged instanceof Refusal) return exchanged;
    request.patient = exchanged.patient;
    request.exchangedToken = exchanged.token;
    return null;
  }
  if (found.kind === 'notVisible' && call.id !== 'logout') return refuse('notVisible');
  request.patient = found.patient;
  if (!isBackground(request) || found.patient.unused) await sessions.touch(found.patient, now);
  return null;
}

/** the product's own header first, then the usual one. */
function tokenOf(headers: FastifyRequest['headers']): string | null {
  const own = headers['x-access-token'];
  if (typeof own === 'string') return own;
  return /^Bearer ([\w-]+)$/i.exec(headers.authorization ?? '')?.[1] ?? null;
}

/** The name of the cookie of the front desk: browsers take the prefix under https alone. */
export const deskCookieName = (publicUrl: string): string =>
  publicUrl.startsWith('https:') ? '__Host-desk' : 'desk';
