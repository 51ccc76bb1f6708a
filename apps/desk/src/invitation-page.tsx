import { ActionOutcome } from '@clinic/ui/action-outcome';
import { Button } from '@clinic/ui/button';
import { LoadingState } from '@clinic/ui/page-states';
import { Notice } from '@clinic/ui/notice';
import { PasswordField } from '@clinic/ui/password-field';
import { TextField } from '@clinic/ui/text-field';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { encode } from 'uqr';
import { useLocation } from 'wouter';
import { DeskError, ask, isUnknown } from './api.ts';
import styles from './app.module.css';
import { t } from './words.ts';

/** Sets the password and second factor with the invitation's token, which is in the address's hash. */
export function InvitationPage() {
  const [, goTo] = useLocation();
  const [token] = useState(() => location.hash.slice(1));
  const [password, setPassword] = useState('');
  const [code, setCode] = useState('');
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async () => (await ask('deskReadInvitation', { body: { token } })).extras,
    staleTime: Infinity,
  });
  // An earlier press may have set up the account, which then refuses the next one.
  const [wasUnknown, setWasUnknown] = useState(false);
  const accept = useMutation({
    mutationFn: () => ask('deskAcceptInvitation', { body: { token, password, code } }),
    onError: (error) => {
      if (isUnknown(error)) setWasUnknown(true);
    },
  });
  const isUsed =
    wasUnknown && accept.error instanceof DeskError && accept.error.code === 'invitationNotValid';
  const mayBeSetUp = isUnknown(accept.error) || isUsed;
  if (accept.data)
    return (
      <main id="main" className={styles.narrow}>
        <h1>{t('desk.recoveryCodes')}</h1>
        <p>{t('desk.recoveryCodesAbout')}</p>
        <ol className={styles.codes}>
          {accept.data.extras.recoveryCodes.map((each) => (
            <li key={each}>{each}</li>
          ))}
        </ol>
        <div>
          <Button onClick={() => goTo('/', { replace: true })}>{t('desk.toSignIn')}</Button>
        </div>
      </main>
    );
  return (
    <main id="main" className={styles.narrow}>
      <h1>{t('desk.invitation')}</h1>
      {invitation.isPending && <LoadingState />}
      {invitation.error && (
        <Notice kind="danger" role="alert">
          <p>{invitation.error.message}</p>
        </Notice>
      )}
      {invitation.data && (
        <form
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            if (!accept.isPending) accept.mutate();
          }}
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
            label={t('desk.newPassword')}
            hint={t('desk.newPasswordHint')}
            error={fieldError(accept.error, 'password')}
            autoComplete="new-password"
            required
            maxLength={128}
            value={password}
            onChange={setPassword}
          />
          <TextField
            label={t('desk.newCode')}
            autoComplete="one-time-code"
            inputMode="numeric"
            required
            maxLength={40}
            width="short"
            value={code}
            onChange={setCode}
          />
          {mayBeSetUp ? (
            <ActionOutcome press={accept.submittedAt} kind="caution">
              {t(isUsed ? 'desk.acceptUsed' : 'desk.acceptUnknown')}
            </ActionOutcome>
          ) : (
            <ActionOutcome press={accept.submittedAt}>{accept.error?.message}</ActionOutcome>
          )}
          <div className={styles.buttons}>
            <Button type="submit" busy={accept.isPending} busyLabel={t('desk.accepting')}>
              {t('desk.accept')}
            </Button>
            {mayBeSetUp && (
              <Button variant="secondary" onClick={() => goTo('/')}>
                {t('desk.signIn')}
              </Button>
            )}
          </div>
        </form>
      )}
    </main>
  );
}

const fieldError = (error: Error | null, field: string): string | undefined =>
  error instanceof DeskError
    ? error.fields?.find((each) => each.field === field)?.message
    : undefined;

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
