import { buttonClass, type ButtonLook } from '@clinic/ui/button';
import type { ReactNode } from 'react';
import { Link } from 'wouter';

interface ButtonLinkProps extends ButtonLook {
  to: string;
  /** Replaces this page in the browser's history. */
  replace?: boolean;
  /** History state of the page that the link leads to. */
  state?: unknown;
  children: ReactNode;
}

/** A link within the app that looks like a button. */
export function ButtonLink({ variant, icon, wide, children, ...rest }: ButtonLinkProps) {
  return (
    <Link {...rest} className={buttonClass({ variant, wide })}>
      {icon}
      <span>{children}</span>
    </Link>
  );
}

interface SiteLinkProps extends ButtonLook {
  href: string;
  children: ReactNode;
}

/** A link to another site that looks like a button. */
export function SiteLink({ href, variant, icon, wide, children }: SiteLinkProps) {
  return (
    <a href={href} className={buttonClass({ variant, wide })}>
      {icon}
      <span>{children}</span>
    </a>
  );
}
