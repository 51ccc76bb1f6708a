import { createHash, randomBytes, randomUUID } from 'node:crypto';

import type { Cluster } from '../clinic/cluster.ts';

/** Somebody at the front desk, who decides on what is gone from OSCAR. */
export interface Desk {
  /** The appointments on the list. */
  list(): Promise<readonly string[]>;
  /** The status of the answer. */
  decide(appointmentId: string, is: 'kept' | 'cancelled'): Promise<number>;
}

export async function openDesk(cluster: Cluster, now: () => number): Promise<Desk> {
  const [id, token] = [randomUUID(), randomBytes(32).toString('base64url')];
  await cluster.ask((database) =>
    database.query(
      `insert into staff (id, email, name, roles, created_at_s)
       values ($1, 'robin@clinic.example', 'Robin Lee', '{manager,receptionist}', $2)`,
      [id, now()],
    ),
  );
  /** Opens the session anew: the clock is moved on by more than one lasts. */
  const ask = async (method: string, path: string, body?: object) => {
    await cluster.ask((database) =>
      database.query(
        `insert into staff_session (token_hash, staff_id, created_at_s, last_active_at_s, factor_at_s)
         values ($1, $2, $3, $3, $3)
         on conflict (token_hash) do update set created_at_s = $3, last_active_at_s = $3`,
        [createHash('sha256').update(token).digest(), id, now()],
      ),
    );
    return fetch(`${cluster.bases[0]}/desk/${path}`, {
      method,
      headers: {
        cookie: `desk=${token}`,
        origin: 'http://127.0.0.1:3000',
        ...(body && { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    });
  };
  return {
    async list() {
      const answer = await ask('GET', 'waiting');
      const { extras } = (await answer.json()) as { extras: { gone: { id: string }[] } };
      return extras.gone.map((each) => each.id);
    },
    decide: async (of, is) => (await ask('PUT', `appointment/${of}/gone`, { is })).status,
  };
}
