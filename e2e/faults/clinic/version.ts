import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files of the working tree. */
export const workingTree = join(import.meta.dirname, '../../..');

/** The commit of 0.2.0, the oldest version that must serve on today's schema. */
export function oldestServing(): string {
  const page = readFileSync(join(workingTree, 'docs/migrations.md'), 'utf8');
  const [, commit] = /\b0\.2\.0 \(commit `(\w+)`/.exec(page) ?? [];
  if (commit === undefined) throw new Error('docs/migrations.md does not say the commit of 0.2.0');
  return commit;
}

/** The folder of a commit, installed there as its own files say. It is kept for the next run. */
export function versionAt(commit: string): string {
  const folder = join(tmpdir(), `clinic-version-${commit}`);
  if (!existsSync(folder)) {
    const fresh = mkdtempSync(`${folder}-`);
    execFileSync('sh', ['-c', `git archive ${commit} | tar -x -C '${fresh}'`], {
      cwd: workingTree,
      stdio: 'inherit',
    });
    renameSync(fresh, folder);
  }
  return folder;
}

/** Builds what is in a folder, unless it is built. */
export function build(folder: string): void {
  execFileSync(process.execPath, ['tools/run.mjs', 'tools/build.mjs'], {
    cwd: folder,
    stdio: 'inherit',
  });
}
