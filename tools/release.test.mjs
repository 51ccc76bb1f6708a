import assert from 'node:assert/strict';
import { test } from 'node:test';

import { ofVersion, released } from './release.mjs';

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n### Staff\n\n- New.\n\n## 0.3.0 - 2026-12-01\n\n- Old.\n';

test('a release names what was unreleased, and begins anew', () => {
  const { notes, changelog } = released(CHANGELOG, '0.4.0', '2026-12-31');
  assert.equal(notes, '### Staff\n\n- New.');
  assert.match(changelog, /## Unreleased\n\n## 0\.4\.0 - 2026-12-31\n\n### Staff\n/);
  assert.throws(() => released(changelog, '0.5.0', '2027-01-01'), /nothing under Unreleased/);
});

test('a release writes its version where our packages name each other, and nowhere else', () => {
  const entry = { version: '0.3.0', dependencies: { '@clinic/domain': '0.3.0', react: '0.3.0' } };
  assert.deepEqual(ofVersion(entry, '0.4.0'), {
    version: '0.4.0',
    dependencies: { '@clinic/domain': '0.4.0', react: '0.3.0' },
  });
});
