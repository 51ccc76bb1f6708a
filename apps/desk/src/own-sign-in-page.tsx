import type { ApiPasskey } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { Dialog } from '@clinic/ui/dialog';
import { FailedState, LoadingState } from '@clinic/ui/page-states';
import { TextField } from '@clinic/ui/text-field';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { ask } from './api.ts';
import { DataTable } from './data-table.tsx';
import { useDraft } from './drafts.ts';
import styles from './office.module.css';
import { newPasskey, passkeysWork } from './passkeys.tsx';
import { locale, t } from './words.ts';

const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await ask('deskPasskeys', {})).extras.passkeys,
});

/** The signed-in person's own passkeys, which work in place of the code. */
export function OwnSignInPage() {
  const passkeys = useQuery(passkeysQuery);
  const [removing, setRemoving] = useState<ApiPasskey>();
  const [done, setDone] = useState<{ says: string; press: number }>();
  const say = (says: string) => setDone((before) => ({ says, press: (before?.press ?? 0) + 1 }));
  return (
    <main id="main" className={styles.page}>
      <div className={styles.head}>
        <h1>{t('desk.ownSignIn')}</h1>
      </div>
      <p className={styles.about}>{t('desk.ownSignInAbout')}</p>
      {done && (
        <ActionOutcome press={done.press} kind="good">
          {done.says}
        </ActionOutcome>
      )}
      <section className={styles.section}>
        <h2>{t('desk.passkeys')}</h2>
        {passkeys.isPending && <LoadingState />}
        {passkeys.isError && passkeys.data === undefined && (
          <FailedState onRetry={() => void passkeys.refetch()} busy={passkeys.isFetching}>
            {passkeys.error.message}
          </FailedState>
        )}
        {passkeys.data?.length === 0 && <p>{t('desk.passkeysNone')}</p>}
        {passkeys.data !== undefined && passkeys.data.length > 0 && (
          <List passkeys={passkeys.data} onRemove={setRemoving} />
        )}
      </section>
      <Add onAdded={say} />
      {removing && (
        <Remove
          passkey={removing}
          onClose={() => setRemoving(undefined)}
          onRemoved={(says) => {
            setRemoving(undefined);
            say(says);
          }}
        />
      )}
    </main>
  );
}

interface ListProps {
  passkeys: readonly ApiPasskey[];
  onRemove: (passkey: ApiPasskey) => void;
}

function List({ passkeys, onRemove }: ListProps) {
  return (
    <DataTable caption={t('desk.passkeys')}>
      <thead>
        <tr>
          <th scope="col">{t('desk.passkeyName')}</th>
          <th scope="col">{t('desk.passkeyCreated')}</th>
          <th scope="col">{t('desk.passkeyUsed')}</th>
          <th scope="col">{t('desk.passkeyActions')}</th>
        </tr>
      </thead>
      <tbody>
        {passkeys.map((passkey) => {
          const { id, name, createdAt, lastUsedAt } = passkey;
          return (
            <tr key={id}>
              <th scope="row">{name}</th>
              <td>{formatMoment(locale, createdAt)}</td>
              <td>
                {lastUsedAt === null ? t('desk.passkeyUnused') : formatMoment(locale, lastUsedAt)}
              </td>
              <td>
                <Button
                  variant="secondary"
                  aria-label={t('desk.passkeyRemoveOf', { name })}
                  onClick={() => onRemove(passkey)}
                >
                  {t('desk.passkeyRemove')}
                </Button>
              </td>
            </tr>
          );
        })}
      </tbody>
    </DataTable>
  );
}

interface RemoveProps {
  passkey: ApiPasskey;
  onClose: () => void;
  onRemoved: (says: string) => void;
}

function Remove({ passkey: { id, name }, onClose, onRemoved }: RemoveProps) {
  const queries = useQueryClient();
  const remove = useMutation({
    mutationFn: () => ask('deskRemovePasskey', { params: { id }, body: {} }),
    onSuccess: () => onRemoved(t('desk.passkeyRemoved', { name })),
    onSettled: () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  });
  return (
    <Dialog
      title={t('desk.passkeyRemoveTitle', { name })}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="danger"
            busy={remove.isPending}
            busyLabel={t('desk.passkeyRemoving')}
            onClick={() => remove.mutate()}
          >
            {t('desk.passkeyRemove')}
          </Button>
          <Button variant="secondary" onClick={onClose}>
            {t('desk.passkeyKeep')}
          </Button>
        </>
      }
    >
      <p>{t('desk.passkeyRemoveAbout')}</p>
      <ActionOutcome press={remove.submittedAt}>{remove.error?.message}</ActionOutcome>
    </Dialog>
  );
}

function Add({ onAdded }: { onAdded: (says: string) => void }) {
  const queries = useQueryClient();
  const [name, setName] = useDraft('passkey', '');
  const add = useMutation({
    mutationFn: async () => {
      const made = await newPasskey(ask('deskAskNewPasskey', { body: {} }));
      return ask('deskAddPasskey', { body: { name, ...made } });
    },
    onSuccess: () => {
      onAdded(t('desk.passkeyAdded', { name }));
      setName('');
    },
    onSettled: () => queries.invalidateQueries({ queryKey: passkeysQuery.queryKey }),
  });
  return (
    <section className={styles.section}>
      <h2>{t('desk.passkeyAdd')}</h2>
      {passkeysWork() ? (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!add.isPending) add.mutate();
          }}
        >
          <TextField
            label={t('desk.passkeyName')}
            hint={t('desk.passkeyNameHint')}
            required
            autoComplete="off"
            maxLength={60}
            value={name}
            onChange={setName}
          />
          <ActionOutcome press={add.submittedAt}>{add.error?.message}</ActionOutcome>
          <div>
            <Button type="submit" busy={add.isPending} busyLabel={t('desk.passkeyWaiting')}>
              {t('desk.passkeyAdd')}
            </Button>
          </div>
        </form>
      ) : (
        <p className={styles.about}>{t('desk.passkeysNotHere')}</p>
      )}
    </section>
  );
}
