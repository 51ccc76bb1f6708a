import { isUnknown } from '@clinic/app/api-error';
import { LoadState } from '@clinic/app/outcome';
import type { ApiPasskey, CallInput } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { TextField } from '@clinic/ui/text-field';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ask } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { useDraft } from '@clinic/app/drafts';
import styles from '../../shared/office.module.css';
import { NewPassword } from './new-password.tsx';
import { newPasskey, passkeysWork } from './passkeys.tsx';
import { Sessions } from '../../shared/sessions.tsx';
import { DeskDialog, LeaveButton } from '../../shared/under-way.tsx';
import { locale, t } from '../../shared/words.ts';

const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await ask('deskPasskeys', {})).extras.passkeys,
});

/** What the signed-in person signs in with, passkeys and password, and where they are signed in. */
export function OwnSignInPage() {
  const passkeys = useQuery(passkeysQuery);
  const [removing, setRemoving] = useState<ApiPasskey>();
  const [done, say] = useSaid();
  return (
    <main id="main" className={styles.page}>
      <div className={styles.head}>
        <h1>{t('desk.ownSignIn')}</h1>
      </div>
      <p className={styles.about}>{t('desk.ownSignInAbout')}</p>
      {done}
      <section className={styles.section}>
        <h2>{t('desk.passkeys')}</h2>
        <LoadState of={passkeys} />
        {passkeys.data?.length === 0 && <p>{t('desk.passkeysNone')}</p>}
        {passkeys.data !== undefined && passkeys.data.length > 0 && (
          <List passkeys={passkeys.data} onRemove={setRemoving} />
        )}
      </section>
      <Add onAdded={say} />
      <NewPassword onChanged={say} />
      <section className={styles.section}>
        <h2>{t('desk.sessions')}</h2>
        <Sessions of={null} />
      </section>
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
    <DataTable
      caption={t('desk.passkeys')}
      columns={[
        t('desk.passkeyName'),
        t('desk.passkeyCreated'),
        t('desk.passkeyUsed'),
        t('desk.passkeyActions'),
      ]}
    >
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
  const remove = useAction({
    work: () => ask('deskRemovePasskey', { params: { id }, body: {} }),
    onDone: () => onRemoved(t('desk.passkeyRemoved', { name })),
    shows: [passkeysQuery.queryKey],
  });
  return (
    <DeskDialog
      title={t('desk.passkeyRemoveTitle', { name })}
      onClose={onClose}
      actions={
        <>
          <Button
            variant="danger"
            busy={remove.pending}
            busyLabel={t('desk.passkeyRemoving')}
            onClick={() => remove.run()}
          >
            {t('desk.passkeyRemove')}
          </Button>
          <LeaveButton onClick={onClose}>{t('desk.passkeyKeep')}</LeaveButton>
        </>
      }
    >
      <p>{t('desk.passkeyRemoveAbout')}</p>
      <Outcome of={remove} />
    </DeskDialog>
  );
}

function Add({ onAdded }: { onAdded: (says: string) => void }) {
  const [name, setName] = useDraft('passkey', '');
  // What the device made, to be sent again where the answer was lost.
  const sent = useRef<CallInput<'deskAddPasskey'>['body']>(undefined);
  const add = useAction({
    work: async () => {
      if (sent.current?.name !== name)
        sent.current = { name, ...(await newPasskey(ask('deskAskNewPasskey', { body: {} }))) };
      return ask('deskAddPasskey', { body: sent.current });
    },
    onDone: () => {
      onAdded(t('desk.passkeyAdded', { name }));
      setName('');
      sent.current = undefined;
    },
    onFailed(error) {
      if (!isUnknown(error)) sent.current = undefined;
    },
    shows: [passkeysQuery.queryKey],
    unknown: t('desk.passkeyUnknown', { name }),
  });
  return (
    <section className={styles.section}>
      <h2>{t('desk.passkeyAdd')}</h2>
      {passkeysWork() ? (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            add.run();
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
          <Outcome of={add} />
          <div>
            <Button type="submit" busy={add.pending} busyLabel={t('desk.passkeyWaiting')}>
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
