import { useForm } from '@clinic/app/form';
import { LoadState } from '@clinic/app/outcome';
import type { ApiColleague, ApiSetUp } from '@clinic/contract';
import { STAFF_ROLES, type StaffRole, formatTime } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { CheckboxGroup } from '@clinic/ui/checkbox-group';
import { SelectField } from '@clinic/ui/select-field';
import { EmailField, TextField } from '@clinic/ui/text-field';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { ActionDialog } from '../../shared/action-dialog.tsx';
import { ask } from '../../shared/api.ts';
import { DataTable } from '../../shared/data-table.tsx';
import { Outcome, useAction, useSaid } from '../../shared/desk-action.tsx';
import styles from '../../shared/office.module.css';
import { Section } from '../../shared/section.tsx';
import { SendForm } from '../../shared/send-form.tsx';
import { Sessions } from '../../shared/sessions.tsx';
import { becomes, waitingQuery } from '../../shared/stop-line.tsx';
import { DeskDialog, LeaveButton, useStays } from '../../shared/under-way.tsx';
import { t } from '../../shared/words.ts';

const staffQuery = queryOptions({
  queryKey: ['staff'],
  queryFn: async () => (await ask('deskStaffList', {})).extras.staff,
});

const CHANGES = ['sessions', 'reset', 'close'] as const;

const CALLS = { reset: 'deskResetFactor', close: 'deskCloseStaff' } as const;

type Changing = { readonly colleague: ApiColleague } & (
  { readonly change: 'sessions' } | { readonly change: keyof typeof CALLS }
);

/** Lists and changes who may sign in to the front desk. */
export function Colleagues({ providers }: Pick<ApiSetUp, 'providers'>) {
  const staff = useQuery(staffQuery);
  const [changing, setChanging] = useState<Changing>();
  const [done, say] = useSaid();
  const leave = () => setChanging(undefined);
  return (
    <>
      {done}
      <Section title={t('desk.setUp.staff')}>
        <LoadState of={staff} />
        {staff.data && <List staff={staff.data} providers={providers} onChange={setChanging} />}
      </Section>
      <Invite providers={providers} onInvited={say} />
      <NewManagers />
      {changing?.change === 'sessions' && (
        <DeskDialog
          title={t('desk.setUp.sessionsTitle', { name: changing.colleague.name })}
          actsOn={`sessions ${changing.colleague.id}`}
          onClose={leave}
          actions={<LeaveButton onClick={leave}>{t('desk.close')}</LeaveButton>}
        >
          <Sessions of={changing.colleague} />
        </DeskDialog>
      )}
      {changing && changing.change !== 'sessions' && (
        <ActionDialog
          title={t(`desk.setUp.${changing.change}Title`, changing.colleague)}
          actsOn={`${changing.change} ${changing.colleague.id}`}
          does={t(`desk.setUp.${changing.change}`)}
          doing={t(`desk.setUp.${changing.change}Doing`)}
          isDanger
          work={() =>
            ask(CALLS[changing.change], { params: { id: changing.colleague.id }, body: {} })
          }
          shows={[staffQuery.queryKey]}
          onDone={() => {
            leave();
            say(t(`desk.setUp.${changing.change}Done`, changing.colleague));
          }}
          onClose={leave}
        >
          <p>{t(`desk.setUp.${changing.change}About`, changing.colleague)}</p>
        </ActionDialog>
      )}
    </>
  );
}

interface ListProps extends Pick<ApiSetUp, 'providers'> {
  staff: readonly ApiColleague[];
  onChange: (changing: Changing) => void;
}

function List({ staff, providers, onChange }: ListProps) {
  const providerOf = ({ providerId }: ApiColleague) =>
    providers.find(({ id }) => id === providerId)?.name ?? providerId;
  return (
    <DataTable
      caption={t('desk.setUp.staff')}
      columns={[
        t('desk.name'),
        t('desk.email'),
        t('desk.setUp.roles'),
        t('desk.setUp.standing'),
        t('desk.setUp.actions'),
      ]}
      rows={staff.map((colleague) => (
        <tr key={colleague.id} data-acts-on={colleague.id}>
          <th scope="row">{colleague.name}</th>
          <td>{colleague.email}</td>
          <td>
            {colleague.roles.map((role) => t(`desk.setUp.role.${role}`)).join(', ')}
            {colleague.providerId !== null && (
              <div className={styles.soft}>{providerOf(colleague)}</div>
            )}
          </td>
          <td>{t(`desk.setUp.standing.${colleague.standing}`)}</td>
          <td>
            <Actions colleague={colleague} onChange={onChange} />
          </td>
        </tr>
      ))}
    />
  );
}

function Actions({
  colleague,
  onChange,
}: Pick<ListProps, 'onChange'> & Pick<Changing, 'colleague'>) {
  const { isOwn, standing, name } = colleague;
  if (isOwn) return <span className={styles.soft}>{t('desk.setUp.own')}</span>;
  if (standing === 'closed') return null;
  return (
    <div className={styles.buttons}>
      {CHANGES.filter((change) => change !== 'sessions' || standing === 'open').map((change) => (
        <Button
          key={change}
          variant="secondary"
          aria-label={t(`desk.setUp.${change}Of`, { name })}
          onClick={() => onChange({ change, colleague })}
        >
          {t(`desk.setUp.${change}`)}
        </Button>
      ))}
    </div>
  );
}

interface InviteProps extends Pick<ApiSetUp, 'providers'> {
  onInvited: (says: string) => void;
}

const NOBODY = { name: '', email: '', providerId: '', roles: [] as readonly StaffRole[] };

function Invite({ providers, onInvited }: InviteProps) {
  useStays();
  const form = useForm(useState(NOBODY));
  const { name, email, providerId, roles } = form.values;
  const isClinician = roles.includes('clinician');
  const invite = useAction({
    work: () =>
      ask('deskInvite', {
        body: { name, email, roles: [...roles], providerId: isClinician ? providerId : null },
      }),
    onDone: ({ extras }) => {
      const waitsUntil = extras?.waitsUntil ?? null;
      onInvited(
        waitsUntil === null
          ? t('desk.setUp.invited', { name, email })
          : t('desk.setUp.inviteWaits', { name, time: formatTime(waitsUntil) }),
      );
      form.change(NOBODY);
    },
    onFailed: (error) => form.failed(error, null),
    shows: [staffQuery.queryKey, waitingQuery.queryKey],
  });
  const toggle = (role: StaffRole) =>
    form.change({
      roles: roles.includes(role) ? roles.filter((each) => each !== role) : [...roles, role],
    });
  return (
    <Section title={t('desk.setUp.invite')} about={t('desk.setUp.inviteAbout')}>
      <SendForm
        does={t('desk.setUp.invite')}
        doing={t('desk.setUp.inviting')}
        busy={invite.pending}
        onSend={() => {
          if (roles.length > 0) return invite.run();
          form.show([{ field: 'roles', message: t('desk.setUp.rolesMissing') }]);
        }}
        outcome={<Outcome of={invite} />}
      >
        <TextField
          {...form.field('name')}
          label={t('desk.name')}
          required
          autoComplete="off"
          maxLength={100}
        />
        <EmailField
          {...form.field('email')}
          label={t('desk.email')}
          required
          name="colleague"
          autoComplete="off"
        />
        <CheckboxGroup
          id={form.idOf('roles')}
          label={t('desk.setUp.roles')}
          error={form.errorOf('roles')}
          options={STAFF_ROLES.map((role) => ({
            value: role,
            label: t(`desk.setUp.role.${role}`),
          }))}
          values={roles}
          onToggle={toggle}
        />
        {isClinician && (
          <SelectField
            {...form.field('providerId')}
            label={t('desk.setUp.whichProvider')}
            placeholder={t('desk.setUp.providerChoose')}
            required
            options={providers.map((provider) => ({ value: provider.id, label: provider.name }))}
          />
        )}
      </SendForm>
    </Section>
  );
}

function NewManagers() {
  const waiting = useQuery(waitingQuery);
  const asked = (waiting.data?.acts ?? []).filter(({ act }) => act === 'invite');
  if (asked.length === 0 && !waiting.isLoadingError) return null;
  return (
    <Section title={t('desk.setUp.managersAsked')}>
      {waiting.isLoadingError && <LoadState of={waiting} />}
      <ul>
        {asked.map((each) => (
          <li key={each.id}>{becomes(each)}</li>
        ))}
      </ul>
    </Section>
  );
}
