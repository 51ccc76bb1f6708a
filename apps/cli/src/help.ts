import type { Command } from './command.ts';

const START = 'npm run clinic --';

/** All commands, one line each. */
export function listOfCommands(commands: readonly Command[]): string {
  const names = commands.map((each) => usageOf(each));
  const width = Math.max(...names.map(({ length }) => length)) + 2;
  return [
    'The clinic’s own commands, for whoever runs the service.',
    '',
    `  ${START} <command> [options]`,
    '',
    'Commands:',
    ...commands.map(({ summary }, at) => `  ${(names[at] ?? '').padEnd(width)}${summary}`),
    '',
    `  ${START} <command> --help   says more about one of them`,
    '',
    'They speak to the running service over DATA_DIR/clinic.sock, or open the database themselves:',
    'the embedded one while no service runs, PostgreSQL (DATABASE_URL) at any time.',
    'Each is written into the audit trail under the name of the system’s user.',
  ].join('\n');
}

export function helpOf(command: Command): string {
  const { arguments: wanted = [], options = {} } = command;
  const rows = [
    ...wanted.map(({ name, what }) => [`<${name}>`, what] as const),
    ...Object.entries(options).map(([name, { kind, what, many }]) => {
      const value = kind === 'flag' ? '' : ` <${kind === 'file' ? 'file' : 'text'}>`;
      return [`--${name}${value}`, many ? `${what} (may be repeated)` : what] as const;
    }),
  ];
  const width = Math.max(0, ...rows.map(([left]) => left.length)) + 2;
  return [
    command.summary,
    '',
    `  ${START} ${usageOf(command)}${rows.length > wanted.length ? ' [options]' : ''}`,
    ...(rows.length > 0 ? [''] : []),
    ...rows.map(([left, what]) => `  ${left.padEnd(width)}${what}`),
  ].join('\n');
}

const usageOf = ({ name, arguments: wanted = [] }: Command): string =>
  [name, ...wanted.map((each) => (each.optional ? `[<${each.name}>]` : `<${each.name}>`))].join(
    ' ',
  );
