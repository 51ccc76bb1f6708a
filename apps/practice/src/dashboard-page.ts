import type { FastifyInstance } from 'fastify';
import type { Clock } from '@clinic/service/server/clock.ts';
import { dashboardSignature } from '@clinic/service/modules/patients/index.ts';
import { ACCOUNTS } from './accounts.ts';

/** Where the stand-in for the clinic's dashboard is served. */
export const DASHBOARD_PATH = '/practice/dashboard';
export const DASHBOARD_LOGOUT_PATH = `${DASHBOARD_PATH}/logout`;

export interface DashboardParts {
  readonly clock: Pick<Clock, 'now'>;
  readonly secret: string;
}

const HTML = 'text/html; charset=utf-8';
const TYPES = ['I', 'D', 'Z'] as const;

/**
 * A stand-in for the clinic's own dashboard: signs a patient in with a link, as docs/dashboard.md says
 * that the real one does. Its patients are all signed in there.
 */
export function practiceDashboard({ clock, secret }: DashboardParts) {
  return async (app: FastifyInstance): Promise<void> => {
    let asked = 0;
    app.removeAllContentTypeParsers();
    app.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string' },
      (_, body, done) => done(null, body),
    );

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
        // A signature is good once: asked twice in one second, no two bodies are the same.
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

const page = (said: string) => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Practice dashboard</title>
<link rel="stylesheet" href="/practice/style.css">
</head>
<body>
<p class="banner">Practice clinic: nothing here is real.</p>
<main>
<h1>Practice dashboard</h1>
<p>In place of the clinic’s main website, where patients are signed in already.</p>
${said === '' ? '' : `<p role="status">${said}</p>`}
<form method="post" action="${DASHBOARD_PATH}">
<p><label for="email">Patient</label><br>
<select id="email" name="email">
${options}
</select></p>
<fieldset>
<legend>Appointment type</legend>
<label><input type="radio" name="type" value="Z" checked> None</label>
<label><input type="radio" name="type" value="I"> I, injury claim appointment</label>
<label><input type="radio" name="type" value="D"> D, driver medical</label>
</fieldset>
<p><button>Book an appointment</button></p>
</form>
</main>
</body>
</html>
`;
