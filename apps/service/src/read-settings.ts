import { readFileSync } from 'node:fs';
import { type AboutSetting, about } from './setting-kinds.ts';
import {
  NEEDS,
  type Read,
  type Settings,
  type Shape,
  TOGETHER,
  productionSettings,
} from './settings.ts';

/** The service cannot start with its settings; the message tells the operator what to do. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is missing, wrong or weak: why, and how to correct it. Neither text quotes a secret. */
export interface SettingProblem {
  readonly name: string;
  readonly why: string;
  readonly cure: string;
}

interface Judged<S extends Shape> {
  /** The settings that are present and valid. */
  readonly settings: Partial<Read<S>>;
  readonly problems: readonly SettingProblem[];
}

/** The settings of production, and every problem with them. */
export const judgeSettings = (env: Environment) => judge(productionSettings, env, strangeIn(env));

/** The settings of production; throws one `StartRefused` that names every problem. */
export const readSettings = (env: Environment): Settings => demanded(judgeSettings(env));

/** These settings alone, for a service that is not in production. */
export const readSome = <S extends Shape>(shape: S, env: Environment): Read<S> =>
  demanded(judge(shape, env, []));

function demanded<S extends Shape>({ settings, problems }: Judged<S>): Read<S> {
  if (problems.length === 0) return settings as Read<S>;
  const lines = problems.map(({ name, why, cure }) => `  ${name} ${why}. ${cure}.`);
  throw new StartRefused(
    ['The clinic cannot open as it is set up (docs/configuration.md):', ...lines].join('\n'),
  );
}

/** Settings that the service must not have in production, and their owner. */
const STRANGE = [
  [/^PRACTICE_|^DATA_DIR$/, 'the practice clinic (npm start), not to production'],
  [/^DATABASE_ADMIN_URL(_FILE)?$/, '`npm run clinic -- clinics` alone: it leads to every clinic'],
] as const;

const strangeIn = (env: Environment): SettingProblem[] =>
  STRANGE.flatMap(([names, owner]) =>
    Object.keys(env)
      .filter((name) => names.test(name))
      .map((name) => ({ name, why: `belongs to ${owner}`, cure: 'Take it out' })),
  );

function judge<S extends Shape>(
  shape: S,
  env: Environment,
  before: readonly SettingProblem[],
): Judged<S> {
  const problems = [...before];
  const settings: Record<string, unknown> = {};
  const isGiven = new Set<string>();
  for (const [name, schema] of Object.entries(shape)) {
    const value = valueOf(name, shape, env);
    if (typeof value === 'object') {
      isGiven.add(name);
      problems.push(value);
      continue;
    }
    if (value !== '') isGiven.add(name);
    const { data, error } = schema.safeParse(value === '' ? undefined : value);
    if (error === undefined) settings[name] = data;
    else {
      const missing = `is missing: ${aboutOf(shape, name)?.means}`;
      const why = value === '' ? missing : (error.issues[0]?.message ?? error.message);
      problems.push({ name, why, cure: cureOf(shape, name) });
    }
  }
  for (const names of TOGETHER) {
    const missing = names.filter((name) => name in shape && !isGiven.has(name));
    if (missing.length < names.length)
      problems.push(
        ...missing.map((name) => ({
          name,
          why: `is missing: ${names.join(', ')} are all set or none`,
          cure: cureOf(shape, name),
        })),
      );
  }
  for (const [name, needed] of Object.entries(NEEDS))
    if (settings[name] !== undefined && !isGiven.has(needed))
      problems.push({
        name: needed,
        why: `is missing: ${name} is of no use without it`,
        cure: cureOf(shape, needed),
      });
  return { settings: settings as Partial<Read<S>>, problems };
}

/** A setting without surrounding white space, '' when it is not set, or the problem with reading it. */
function valueOf(name: string, shape: Shape, env: Environment): string | SettingProblem {
  const own = (env[name] ?? '').trim();
  const file = `${name}_FILE`;
  const path = (env[file] ?? '').trim();
  if (path === '' || !aboutOf(shape, name)?.isSecret) return own;
  if (own !== '')
    return { name: file, why: `and ${name} are both set`, cure: 'Take one of them out' };
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
    return {
      name: file,
      why: `names a file that cannot be read${code}`,
      cure: `Put the value into ${path}, for the service’s user to read`,
    };
  }
}

const aboutOf = (shape: Shape, name: string): AboutSetting | undefined =>
  shape[name] && about.get(shape[name]);

function cureOf(shape: Shape, name: string): string {
  const found = aboutOf(shape, name);
  if (found === undefined) return 'Mend it, or take it out';
  return 'such' in found ? `Set it, such as ${name}=${found.such}` : found.cure;
}
