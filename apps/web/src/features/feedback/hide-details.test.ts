import { expect, test } from 'vitest';
import { hideDetails } from './take-picture.ts';

function pageOf(html: string): HTMLElement {
  const page = document.createElement('div');
  page.append(...new DOMParser().parseFromString(html, 'text/html').body.childNodes);
  return page;
}

// Shows: R-81
test('what may be about the patient is hidden, the interface is not (R-81)', () => {
  const page = pageOf(`
    <header><span>Casey</span><button>Logout</button></header>
    <h1>My Account</h1>
    <dl><dt>Health card</dt><dd>BC 9876543218</dd></dl>
    <p>Tue Dec 15 2026 13:00</p>
    <label for="a">Reason</label><input id="a" value="A sore throat" title="A sore throat" />
    <textarea>I have a rash</textarea>
    <button data-private="">Casey Morgan</button>
    <a href="/x">My Appointments</a>
    <img src="data:," alt="card" />`);
  hideDetails(page);
  const { outerHTML } = page;
  for (const kept of ['Logout', 'My Account', 'Health card', 'Reason', 'My Appointments'])
    expect(outerHTML).toContain(kept);
  for (const gone of ['Casey', '9876543218', 'sore throat', 'rash', 'Dec 15', 'Morgan', '<img'])
    expect(outerHTML).not.toContain(gone);
});
