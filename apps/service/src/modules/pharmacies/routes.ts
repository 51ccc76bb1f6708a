import { calls } from '@clinic/contract';
import type { FastifyInstance } from 'fastify';
import type { Platform } from '../../platform.ts';
import { route } from '../../server/http.ts';
import { allPharmacies } from './store.ts';

/** Anybody may read the list. */
export function registerPharmacies(app: FastifyInstance, { database }: Platform): void {
  route(app, calls.listPharmacies, () => allPharmacies(database.db));
}
