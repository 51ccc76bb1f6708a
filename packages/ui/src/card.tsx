import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './card.module.css';

interface CardProps {
  as?: 'div' | 'section' | 'article' | 'aside' | 'li';
  children: ReactNode;
  className?: string | undefined;
  'aria-labelledby'?: string;
  'data-acts-on'?: string;
}

/** A plain frame around related content. */
export function Card({ as: Tag = 'div', children, className, ...rest }: CardProps) {
  return (
    <Tag {...rest} className={classNames(styles.card, className)}>
      {children}
    </Tag>
  );
}
