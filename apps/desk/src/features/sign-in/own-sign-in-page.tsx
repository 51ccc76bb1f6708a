import { isUnknown } from '@clinic/app/api-error';
import { LoadState } from '@clinic/app/outcome';
import type { ApiPasskey, CallInput } from '@clinic/contract';
import { formatMoment } from '@clinic/texts';
import { Button } from '@clinic/ui/button';
import { TextField } from '@clinic/ui/text-field';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import { useDraft } from '@clinic/app/drafts';
import styles from '../../shared/office.module.css';
import { LanguageChoice } from '../../shared/language-choice.tsx';
import { NewPassword } from './new-password.tsx';
import { newPasskey } from './new-passkey.ts';
import { passkeysWork } from './passkeys.tsx';
import { Page } from '../../shared/page.tsx';
import { Section } from '../../shared/section.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { Sessions } from '../../shared/sessions.tsx';
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
    <Page title={t('desk.ownSignIn')}>
      <p className={styles.about}>{t('desk.ownSignInAbout')}</p>
      {done}
      <Section title={t('desk.language')}>
        <LanguageChoice />
      </Section>
      <Section title={t('desk.passkeys')}>
        <LoadState of={passkeys} />
        {passkeys.data?.length === 0 && <p>{t('desk.passkeysNone')}</p>}
        {passkeys.data !== undefined && passkeys.data.length > 0 && (
          <List passkeys={passkeys.data} onRemove={setRemoving} />
        )}
      </Section>
      <Add onAdded={say} />
      <NewPassword onChanged={say} />
      <Section title={t('desk.sessions')}>
        <Sessions of={null} />
      </Section>
      {removing && (
        <ActionDialog
          title={t('desk.passkeyRemoveTitle', removing)}
          actsOn={removing.id}
          does={t('desk.passkeyRemove')}
          doing={t('desk.passkeyRemoving')}
          leave={t('desk.cancelKeep')}
          isDanger
          work={() => ask('deskRemovePasskey', { params: { id: removing.id }, body: {} })}
          shows={[passkeysQuery.queryKey]}
          onDone={() => {
            setRemoving(undefined);
            say(t('desk.passkeyRemoved', removing));
          }}
          onClose={() => setRemoving(undefined)}
        >
          <p>{t('desk.passkeyRemoveAbout')}</p>
        </ActionDialog>
      )}
    </Page>
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
        t('desk.name'),
        t('desk.passkeyCreated'),
        t('desk.passkeyUsed'),
        t('desk.passkeyActions'),
      ]}
      rows={passkeys.map((passkey) => {
        const { id, name, createdAt, lastUsedAt } = passkey;
        return (
          <tr key={id}>
            <th scope="row">{name}</th>
            <td>{formatMoment(locale(), createdAt)}</td>
            <td>
              {lastUsedAt === null ? t('desk.passkeyUnused') : formatMoment(locale(), lastUsedAt)}
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
    />
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
    <Section title={t('desk.passkeyAdd')}>
      {passkeysWork() ? (
        <SendForm
          does={t('desk.passkeyAdd')}
          doing={t('desk.passkeyWaiting')}
          busy={add.pending}
          onSend={add.run}
          outcome={<Outcome of={add} />}
        >
          <TextField
            label={t('desk.name')}
            hint={t('desk.passkeyNameHint')}
            required
            autoComplete="off"
            maxLength={60}
            value={name}
            onChange={setName}
          />
        </SendForm>
      ) : (
        <p className={styles.about}>{t('desk.passkeysNotHere')}</p>
      )}
    </Section>
  );
}
