import type { FastifyInstance } from 'fastify';
import type { Clock } from '@clinic/service/server/ports.ts';
import { dashboardSignature } from '@clinic/service/modules/accounts/index.ts';
import { ACCOUNTS } from './accounts.ts';
import { HTML, practicePage, takeForms } from './page.ts';

/** The path of the stand-in for the clinic's dashboard. */
export const DASHBOARD_PATH = '/practice/dashboard';
export const DASHBOARD_LOGOUT_PATH = `${DASHBOARD_PATH}/logout`;

const TYPES = ['I', 'D', 'Z'] as const;

/**
 * A stand-in for the clinic's own dashboard: signs a patient in by a link, as docs/dashboard.md describes for
 * the real one. All patients count as signed in there.
 */
export function practiceDashboard(clock: Clock, secret: string) {
  return async (app: FastifyInstance): Promise<void> => {
    let asked = 0;
    takeForms(app);

    app.get(DASHBOARD_PATH, async (_, reply) => reply.type(HTML).send(page('')));
    app.get(DASHBOARD_LOGOUT_PATH, async (_, reply) =>
      reply.type(HTML).send(page('You are signed out of the dashboard.')),
    );

    app.post<{ Body: string }>(
      DASHBOARD_PATH,
      { config: { limit: 'none' } },
      async (request, reply) => {
        const form = new URLSearchParams(request.body);
        const selectedAppType = TYPES.find((type) => type === form.get('type')) ?? 'Z';
        // A signature is good once, so two requests within one second must have different bodies.
        const email = `${' '.repeat(asked++ % 32)}${form.get('email') ?? ''}`;
        const payload = JSON.stringify({ email, selectedAppType });
        const time = String(clock.now());
        const answer = await app.inject({
          method: 'POST',
          url: '/api/dashboard/link',
          headers: {
            'content-type': 'application/json',
            'x-dashboard-time': time,
            'x-dashboard-signature': dashboardSignature(secret, time, payload),
          },
          payload,
        });
        const { extras } = answer.json<{ extras: { url?: string; message?: string } }>();
        return extras.url === undefined
          ? reply.type(HTML).send(page(extras.message ?? 'The link was refused.'))
          : reply.redirect(extras.url, 303);
      },
    );
  };
}

const options = ACCOUNTS.map(
  ({ name, firstName, lastName }) =>
    `<option value="${name}@practice.example">${firstName} ${lastName} (${name}@practice.example)</option>`,
).join('\n');

const page = (notice: string) =>
  practicePage(
    'Practice dashboard',
    `<p>In place of the clinic’s main website, where patients are signed in already.</p>
${notice === '' ? '' : `<p role="status">${notice}</p>`}
<form method="post" action="${DASHBOARD_PATH}">
<p><label for="email">Patient</label><br>
<select id="email" name="email">
${options}
</select></p>
<fieldset>
<legend>Appointment type</legend>
<label><input type="radio" name="type" value="Z" checked> None</label>
<label><input type="radio" name="type" value="I"> I, injury claim visit</label>
<label><input type="radio" name="type" value="D"> D, driver medical</label>
</fieldset>
<p><button>Book an appointment</button></p>
</form>`,
  );
