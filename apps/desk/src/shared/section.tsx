import { classNames } from '@clinic/ui/class-names';
import { type ReactNode, type Ref, useId } from 'react';
import styles from './office.module.css';

interface SectionProps {
  title: string;
  about?: ReactNode;
  /** In a frame of its own. */
  isCard?: boolean;
  /** For the heading, which takes the focus. */
  comeIn?: Ref<HTMLHeadingElement>;
  children: ReactNode;
}

/** A part of a page, under its heading. */
export function Section({ title, about, isCard = false, comeIn, children }: SectionProps) {
  const titleId = useId();
  return (
    <section
      className={classNames(styles.section, isCard && styles.card)}
      aria-labelledby={titleId}
    >
      <h2 id={titleId} ref={comeIn} tabIndex={comeIn ? -1 : undefined}>
        {title}
      </h2>
      {about && <p className={styles.about}>{about}</p>}
      {children}
    </section>
  );
}
