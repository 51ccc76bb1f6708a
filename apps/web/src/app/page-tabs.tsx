import { CalendarPlus, CalendarRange, UserRound } from 'lucide-react';
import { NavLink } from 'react-router';
import { t } from '../messages/t.ts';
import { classNames } from '../shared/class-names.ts';
import styles from './page-tabs.module.css';

const tabs = [
  { to: '/', label: 'shell.tabBook', Icon: CalendarPlus },
  { to: '/appointments', label: 'shell.tabAppointments', Icon: CalendarRange },
  { to: '/account', label: 'shell.tabAccount', Icon: UserRound },
] as const;

/** Tabs beneath the header; on phones the same list is a bar at the bottom. */
export function PageTabs() {
  return (
    <nav className={styles.tabs} aria-label={t('shell.pages')}>
      <ul className={styles.list}>
        {tabs.map(({ to, label, Icon }) => (
          <li key={to} className={styles.item}>
            <NavLink to={to} end className={classNames(styles.tab)}>
              <Icon size={20} aria-hidden="true" />
              <span>{t(label)}</span>
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}
