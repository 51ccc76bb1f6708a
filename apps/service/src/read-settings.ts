import { readFileSync } from 'node:fs';
import { z } from 'zod';
import {
  type AboutSetting,
  type Read,
  type Settings,
  type Shape,
  TOGETHER,
  about,
  productionSettings,
} from './settings.ts';

/** The service cannot start as it is set up; the sentence tells the operator what to do. */
export class StartRefused extends Error {
  override readonly name = 'StartRefused';
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** A setting that is missing, wrong or weak: why, and what mends it. Neither quotes a secret. */
export interface SettingProblem {
  readonly name: string;
  readonly why: string;
  readonly cure: string;
}

type Judged<S extends Shape> =
  { readonly settings: Read<S> } | { readonly problems: readonly SettingProblem[] };

/** The settings of production, or everything that is wrong with them. */
export const judgeSettings = (env: Environment) => judge(productionSettings, env, practiceIn(env));

/** The settings of production; throws `StartRefused`, which names everything that is wrong at once. */
export const readSettings = (env: Environment): Settings => demanded(judgeSettings(env));

/** These settings alone, for a service that is not in production. */
export const readSome = <S extends Shape>(shape: S, env: Environment): Read<S> =>
  demanded(judge(shape, env, []));

function demanded<S extends Shape>(judged: Judged<S>): Read<S> {
  if ('settings' in judged) return judged.settings;
  const lines = judged.problems.map(({ name, why, cure }) => `  ${name} ${why}. ${cure}.`);
  throw new StartRefused(
    ['The clinic cannot open as it is set up (docs/configuration.md):', ...lines].join('\n'),
  );
}

const practiceIn = (env: Environment): SettingProblem[] =>
  Object.keys(env)
    .filter((name) => /^PRACTICE_|^DATA_DIR$/.test(name))
    .map((name) => ({
      name,
      why: 'belongs to the practice clinic (npm start), not to production',
      cure: 'Take it out',
    }));

function judge<S extends Shape>(
  shape: S,
  env: Environment,
  before: readonly SettingProblem[],
): Judged<S> {
  const problems = [...before];
  const values: Record<string, string> = {};
  for (const name of Object.keys(shape)) {
    const found = valueOf(name, shape, env);
    if (typeof found === 'object') problems.push(found);
    else if (found !== '') values[name] = found;
  }
  const { data, error } = z.object(shape).safeParse(values);
  for (const { path, message } of error?.issues ?? []) {
    const name = String(path[0]);
    if (problems.some((each) => each.name.replace(/_FILE$/, '') === name)) continue;
    const why = name in values ? message : `is missing: ${said(shape, name)?.means}`;
    problems.push({ name, why, cure: cureOf(shape, name) });
  }
  for (const names of TOGETHER) {
    const missing = names.filter((name) => name in shape && !(name in values));
    if (missing.length < names.length)
      problems.push(
        ...missing.map((name) => ({
          name,
          why: `is missing: ${names.join(', ')} are all set or none`,
          cure: cureOf(shape, name),
        })),
      );
  }
  return data !== undefined && problems.length === 0 ? { settings: data as Read<S> } : { problems };
}

/** A setting without the white space around it, '' where it is not set, or why it cannot be read. */
function valueOf(name: string, shape: Shape, env: Environment): string | SettingProblem {
  const own = (env[name] ?? '').trim();
  const file = `${name}_FILE`;
  const path = (env[file] ?? '').trim();
  if (path === '' || !said(shape, name)?.isSecret) return own;
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

const said = (shape: Shape, name: string): AboutSetting | undefined =>
  shape[name] && about.get(shape[name]);

function cureOf(shape: Shape, name: string): string {
  const found = said(shape, name);
  if (found === undefined) return 'Mend it, or take it out';
  return 'such' in found ? `Set it, such as ${name}=${found.such}` : found.cure;
}
