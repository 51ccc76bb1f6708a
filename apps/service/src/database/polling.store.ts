import { randomUUID } from 'node:crypto';
import { type CommitBus, type Db, sql } from './db.ts';
import type { said } from './schema.ts';

const LOOK_EVERY_MS = 1_000;
/** Words are kept this long for processes that poll late; losing one does no lasting harm (db.ts). */
const KEPT_SECONDS = 30;

type SentWords = Pick<typeof said.$inferSelect, 'id' | 'saidBy' | 'words'>;

/**
 * For processes that cannot LISTEN, because a pooler gives them connections: every second counts as a commit,
 * and words stay in a table for half a minute, so that all processes see them.
 */
export function pollingCommitBus(db: Db): CommitBus {
  const self = randomUUID();
  let known = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(onNotice: (words: string | null) => void, isFirst: boolean): Promise<void> {
    onNotice(null);
    const rows = await sql<SentWords>(db, 'said-find')`
      select id, said_by as "saidBy", words from said order by said_at_s`;
    const unseen = isFirst
      ? []
      : rows.filter(({ id, saidBy }) => !known.has(id) && saidBy !== self);
    known = new Set(rows.map(({ id }) => id));
    for (const { words } of unseen) onNotice(words);
  }

  return {
    async notify(words) {
      if (words === undefined) return;
      await sql(db, 'said-add')`
        with now as (select extract(epoch from clock_timestamp())::bigint as s),
             gone as (delete from said using now where said_at_s < now.s - ${KEPT_SECONDS}::bigint)
        insert into said (id, said_by, words, said_at_s)
        select ${randomUUID()}::uuid, ${self}::uuid, ${words}, s from now`;
    },
    listen(onNotice) {
      let isFirst = true;
      const lookAgain = () => {
        looking = look(onNotice, isFirst)
          .then(() => void (isFirst = false))
          // Words sent meanwhile are still there at the next look.
          .catch(() => undefined)
          .finally(() => {
            if (timer !== undefined) timer = setTimeout(lookAgain, LOOK_EVERY_MS).unref();
          });
      };
      timer = setTimeout(lookAgain, 0).unref();
    },
    async close() {
      clearTimeout(timer);
      timer = undefined;
      await looking;
    },
  };
}
