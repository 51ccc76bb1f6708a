import { inputText } from '@clinic/contract/identity-texts';
import {
  STAFF_ROLES,
  isStaffRole,
  normaliseEmail,
  whyEmailRefused,
  whyNameRefused,
} from '@clinic/domain';
import {
  closeStaffAccount,
  inviteStaff,
  listColleagues,
  resetFactor,
  staffByEmail,
} from '@clinic/service/modules/staff/index.ts';
import { ENGLISH } from '@clinic/texts';
import { type CommandContext, CommandRefused, type Commands, counted } from './command.ts';

const EMAIL = { '<email>': 'The email address that they sign in with.' };
const LONGEST_NAME = 100;
const REFUSED = {
  staffExists: 'There is an account with this address already: npm run clinic -- staff list.',
  clinicianWithoutProvider: 'Give the id of the provider that the clinician is with --provider.',
};

export const staffCommands: Commands = {
  'staff invite': {
    summary:
      'Open an account at the front desk and mail its invitation, which is good for 24 hours.',
    arguments: EMAIL,
    options: {
      '--name <text>': 'Such as "Robin Lee".',
      '--roles <text>': `One or more of ${STAFF_ROLES.join(', ')}, apart by commas.`,
      '--provider <text>': 'The id of the provider that a clinician is.',
    },
    async run({ platform, who, say, texts }) {
      const email = normaliseEmail(texts.email ?? '');
      const wrongEmail = whyEmailRefused(texts.email ?? '');
      if (wrongEmail !== null) throw new CommandRefused(inputText(ENGLISH.id, 'email', wrongEmail));
      const name = (texts.name ?? '').trim().normalize('NFC');
      const wrongName = whyNameRefused(name);
      if (wrongName === 'missing' || name.length > LONGEST_NAME)
        throw new CommandRefused(`Give a name of at most ${LONGEST_NAME} characters with --name.`);
      if (wrongName !== null) throw new CommandRefused(inputText(ENGLISH.id, 'name', wrongName));
      const words = (texts.roles ?? '').split(',').map((role) => role.trim());
      const roles = words.filter(isStaffRole);
      if (roles.length === 0 || roles.length < words.length)
        throw new CommandRefused(`Give --roles: one or more of ${STAFF_ROLES.join(', ')}.`);
      const invited = { email, name, roles, providerId: texts.provider ?? null };
      const why = await inviteStaff(platform, invited, who);
      if (why !== null) throw new CommandRefused(REFUSED[why]);
      say(`Invited. The link is mailed to ${email}, works once and for 24 hours.`);
    },
  },
  'staff list': {
    summary: 'List who may come in to the front desk, with their roles.',
    async run({ db, say }) {
      const rows = await listColleagues(db);
      for (const { email, name, roles, providerId, hasPassword, closedAt } of rows) {
        const provider = providerId === null ? [] : [`provider ${providerId}`];
        const waits = hasPassword ? [] : ['has not set a password yet'];
        const standing = closedAt === null ? waits : ['closed'];
        say([email, name, roles.join(', '), ...provider, ...standing].join('  '));
      }
      say(`${counted(rows.length, 'account')}.`);
    },
  },
  'staff reset-factor': {
    summary:
      'Void password, second factor and recovery codes, end every session, and mail a new invitation.',
    arguments: EMAIL,
    async run(context) {
      const found = await wantedStaff(context);
      if ((await resetFactor(context.platform, found, context.who)) !== null)
        throw new CommandRefused('The account is closed.');
      context.say('Reset. A new invitation is mailed, which works once and for 24 hours.');
    },
  },
  'staff close': {
    summary: 'Close an account at the front desk and end its sessions, for good.',
    arguments: EMAIL,
    async foresee(context) {
      const { name } = await wantedStaff(context);
      context.say(`The account of ${name} would be closed, and every session of theirs ended.`);
    },
    async run(context) {
      const found = await wantedStaff(context);
      const why = await closeStaffAccount(context.platform, found, context.who);
      context.say(why === null ? 'Closed.' : 'The account was closed before.');
    },
  },
};

async function wantedStaff({ db, texts: { email = '' } }: CommandContext) {
  const found = await staffByEmail(db, email);
  if (found === null) throw new CommandRefused(`Nobody of the staff has the address '${email}'.`);
  return found;
}
