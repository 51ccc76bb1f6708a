import { codeOf, isUnknown, messageOf } from '@clinic/app/api-error';
import { useForm } from '@clinic/app/form';
import { deskPages, linkAt } from '@clinic/domain';
import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { LoadingState } from '@clinic/ui/page-states';
import { Notice } from '@clinic/ui/notice';
import { PasteLink } from '@clinic/ui/paste-link';
import { PasswordField } from '@clinic/ui/password-field';
import { TextField } from '@clinic/ui/text-field';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { Redirect, useLocation } from 'wouter';
import { useLocationProperty } from 'wouter/use-browser-location';
import { ask } from '../../shared/api.ts';
import styles from '../../shared/app.module.css';
import { Outcome, useAction } from '../../shared/desk-action.tsx';
import { Page } from '../../shared/page.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { t } from '../../shared/words.ts';

const addressNow = (): string => location.pathname + location.search + location.hash;

/** Opened by a mailed invitation, whose token is in the address's hash, unless that was rewritten on its way. */
export function InvitationPage() {
  const address = useLocationProperty(addressNow);
  const link = linkAt(address);
  const [opened, setOpened] = useState(link);
  if (link !== null && link.secret !== opened?.secret) setOpened(link);
  if (link !== null && link.address !== address)
    return <Redirect to={`~${link.address}`} replace />;
  if (opened === null)
    return (
      <Page size="narrow" title={t('desk.invitation')}>
        <Notice kind="danger" role="alert" unasked>
          <p>{t('desk.invitationNotWhole')}</p>
        </Notice>
        <PasteInvitation address={address} />
      </Page>
    );
  return <Invitation key={opened.secret} token={opened.secret} address={address} />;
}

function PasteInvitation({ address }: { address: string }) {
  const [, goTo] = useLocation();
  return (
    <PasteLink
      address={address}
      words={{
        label: t('desk.pasteLink'),
        hint: t('desk.pasteHint'),
        open: t('desk.pasteOpen'),
        none: t('desk.pasteNone'),
        several: t('desk.pasteSeveral'),
        same: t('desk.pasteSame'),
      }}
      onLink={(pasted) => {
        if (pasted.startsWith('/desk/')) goTo(`~${pasted}`, { replace: true });
        else location.assign(pasted);
      }}
    />
  );
}

/** Sets the password and second factor with the invitation's token. */
function Invitation({ token, address }: { token: string; address: string }) {
  const [, goTo] = useLocation();
  const form = useForm(useState({ password: '', code: '' }));
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await ask('deskReadInvitation', { body: { token } })).extras,
    staleTime: Infinity,
  });
  // An earlier press may have set up the account, which then refuses the next one.
  const [wasUnknown, setWasUnknown] = useState(false);
  const accept = useAction({
    work: () => ask('deskAcceptInvitation', { body: { token, ...form.values } }),
    unknown: t('desk.acceptUnknown'),
    onFailed: (error) => {
      form.failed(error, null);
      if (isUnknown(error)) setWasUnknown(true);
    },
  });
  const isUsed = wasUnknown && codeOf(accept.error) === 'invitationNotValid';
  const mayBeSetUp = isUnknown(accept.error) || isUsed;
  if (accept.result)
    return (
      <Page size="narrow" title={t('desk.recoveryCodes')}>
        <p>{t('desk.recoveryCodesAbout')}</p>
        <ol className={styles.codes}>
          {accept.result.extras.recoveryCodes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <div>
          <Button onClick={() => goTo(deskPages.start, { replace: true })}>
            {t('desk.toSignIn')}
          </Button>
        </div>
      </Page>
    );
  return (
    <Page size="narrow" title={t('desk.invitation')}>
      {invitation.isPending && <LoadingState />}
      {invitation.error && (
        <Notice kind="danger" role="alert">
          <p>{messageOf(invitation.error)}</p>
        </Notice>
      )}
      {codeOf(invitation.error) === 'invitationNotValid' && <PasteInvitation address={address} />}
      {invitation.data && (
        <SendForm
          does={t('desk.accept')}
          doing={t('desk.accepting')}
          busy={accept.pending}
          onSend={accept.run}
          outcome={
            isUsed ? (
              <ActionOutcome press={accept.press} kind="caution">
                {t('desk.acceptUsed')}
              </ActionOutcome>
            ) : (
              <Outcome of={accept} />
            )
          }
          beside={
            mayBeSetUp && (
              <Button variant="secondary" onClick={() => goTo(deskPages.start)}>
                {t('desk.signIn')}
              </Button>
            )
          }
        >
          <p>
            {t('desk.invitationFor', {
              name: invitation.data.name,
              email: invitation.data.email,
            })}
          </p>
          <p>{t('desk.invitationScan')}</p>
          <Picture of={invitation.data.uri} />
          <p>
            {t('desk.invitationKey')} <br />
            <span className={styles.key}>
              {invitation.data.secret.replace(/.{4}(?=.)/g, '$& ')}
            </span>
          </p>
          <PasswordField
            {...form.field('password')}
            label={t('desk.newPassword')}
            hint={t('desk.newPasswordHint')}
            autoComplete="new-password"
            required
            maxLength={128}
          />
          <TextField
            {...form.field('code')}
            label={t('desk.newCode')}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            maxLength={40}
            width="short"
          />
        </SendForm>
      )}
    </Page>
  );
}

/** A QR code, drawn as one path. */
function Picture({ of }: { of: string }) {
  const { data, size } = encode(of, { border: 0 });
  const path = data.flatMap((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      className={styles.picture}
      viewBox={`0 0 ${size} ${size}`}
      role="img"
      aria-label={t('desk.invitationPicture')}
    >
      <path d={path.join('')} fill="black" />
    </svg>
  );
}
