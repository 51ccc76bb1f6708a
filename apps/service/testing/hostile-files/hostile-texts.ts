import { gzipOf, zipBomb, zipOf } from './archives.ts';
import { type HostileFile, SCRIPT, keptAs, latin1, page, refusedAs } from './hostile-file.ts';

const no = refusedAs('fileNotAccepted');
const table = keptAs('text/csv');
const json = keptAs('application/json');
const svg = `<svg xmlns="http://www.w3.org/2000/svg"><script>${SCRIPT}</script></svg>`;
const TEN_MB = 10 * 1024 * 1024;

/** Text, markup, archives and programs. */
export const hostileTexts: readonly HostileFile[] = [
  no('no bytes at all', 'empty.jpg', () => Buffer.alloc(0)),
  no('a file of zeros', 'zeros.jpg', () => Buffer.alloc(10_000)),
  no('an SVG with a script', 'card.svg', () => latin1(svg)),
  no('an SVG called .png', 'card.png', () => latin1(svg)),
  no('an SVG behind a declaration', 'card.png', () => latin1(`<?xml version="1.0"?>\n${svg}`)),
  no('an SVG behind a mark and spaces', 'card.csv', () => Buffer.from(`\uFEFF \n\t${svg}`)),
  no('an SVG packed as SVGZ', 'card.svgz', () => gzipOf(svg)),
  no('a page called .png', 'card.png', () => latin1(page)),
  no('a page called .csv with a comma', 'card.csv', () => latin1(`${page},b\n${page},d\n`)),
  no('a page in UTF-16', 'card.csv', () => Buffer.from(`\uFEFF${page}`, 'utf16le')),
  no('XML that reads a file', 'a.xml', () =>
    latin1('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]><a>&b;</a>'),
  ),
  no('XML that laughs a billion times', 'a.xml', () =>
    latin1('<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;">]><l>&b;</l>'),
  ),
  no('an archive', 'a.zip', () => zipOf('a.html', latin1(page))),
  no('an archive called .pdf', 'a.pdf', () => zipOf('a.html', latin1(page))),
  no('an archive that unpacks to 100 MB', 'a.zip', zipBomb),
  no('a gzip', 'a.csv.gz', () => gzipOf('a,b\n1,2\n')),
  no('a document of Word', 'email.docx', () => zipOf('word/document.xml', latin1('<w:document/>'))),
  no('a program for Windows', 'card.jpg', () => latin1(`MZ\x90\0${'\0'.repeat(500)}`)),
  no('a program for Linux', 'card.png', () => latin1(`\x7fELF\x02\x01\x01${'\0'.repeat(500)}`)),
  no('a script for a shell', 'a.csv', () => latin1('#!/bin/sh\nrm -rf /\n')),
  no('a script', 'a.json', () => latin1(SCRIPT)),
  no('rich text', 'a.json', () => latin1('{\\rtf1\\ansi {\\*\\objdata 0105}}')),
  no('PostScript', 'a.pdf', () => latin1('%!PS-Adobe-3.0\n(%stdout) (w) file quit\n')),
  no('a letter with attachments', 'a.eml', () =>
    latin1('MIME-Version: 1.0\nContent-Type: text/html\n\n<script>1</script>'),
  ),
  no('plain words', 'a.csv', () => latin1('Dear doctor,\n\nmy card is lost.\n')),
  no('spaces', 'a.csv', () => latin1(' \n \n')),
  no('a table in Latin-1', 'a.csv', () => latin1('name,city\nRen\xe9,Montr\xe9al\n')),
  no('a table in UTF-16', 'a.csv', () => Buffer.from('\uFEFFname,city\nA,B\n', 'utf16le')),
  no('a table with NUL', 'a.csv', () => latin1('a,b\n1\0,2\n')),
  no('a table with an escape', 'a.csv', () => latin1('a,b\n\x1b[2J,2\n')),
  no('a table that runs a program', 'a.csv', () => latin1("a,b\n=cmd|' /C calc'!A0,2\n")),
  no('a table that hides a formula in quotes', 'a.csv', () =>
    latin1('a,b\n"=HYPERLINK(""https://elsewhere.example"")",2\n'),
  ),
  no('a table with an open quote', 'a.csv', () => latin1('a,b\n"1,2\n')),
  no('a table with rows of different lengths', 'a.csv', () => latin1('a,b\n1,2,3\n')),
  table('a table', 'a.exe', () => Buffer.from('Name,Größe\n"Ren\u00e9, ""R""",-1.5\n')),
  table('a table of ten megabytes', 'a.csv', () =>
    latin1('12,34\n'.repeat(Math.floor(TEN_MB / 6))),
  ),
  no('JSON without its end', 'a.json', () => latin1('{"a":[1,2')),
  no('two JSON in one', 'a.json', () => latin1('{"a":1}{"b":2}')),
  no('JSON in Latin-1', 'a.json', () => latin1('{"a":"\xe9"}')),
  no('JSON 100 000 levels deep', 'a.json', () =>
    latin1(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
  ),
  no('JSON of three million lists', 'a.json', () => latin1(`[${'[],'.repeat(3_000_000)}[]]`)),
  json('JSON that names a prototype', 'a.json', () => latin1('{"__proto__":{"admin":true}}')),
  json('JSON', 'a.html', () => latin1('{"glucose":[5.4,6.1]}')),
];
