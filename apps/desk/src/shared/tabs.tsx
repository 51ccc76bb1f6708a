import { Link } from 'wouter';
import styles from './office.module.css';
import { type PlainKey, t } from './words.ts';

interface TabsProps {
  label: string;
  /** The names of the pages, by their paths. */
  tabs: Readonly<Record<string, PlainKey>>;
  current: string;
}

/** Pages that belong together, one of which is open. */
export function Tabs({ label, tabs, current }: TabsProps) {
  return (
    <nav className={styles.tabs} aria-label={label}>
      <ul>
        {Object.entries(tabs).map(([path, name]) => (
          <li key={path}>
            <Link href={path} aria-current={path === current ? 'page' : undefined}>
              {t(name)}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
