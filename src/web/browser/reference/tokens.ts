/** A string, which is a key before a colon; a word or an option; a number. Reads every character once, even if a quote is never closed. */
const TOKEN =
  /(?<text>"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|`[^`]*`?)|(?<word>\b(?:const|await|true|false|null)\b|(?<=\s)-{1,2}[A-Za-z][\w-]*)|(?<number>(?<=^|[\s[(,:])-?\d[\d.eE+-]*(?=$|[\s\]}),]))/g;

/** The pieces of a code with the class of their colour: k, s or n as in the style sheet, or none. */
export function tokensOf(code: string): (readonly [kind: string, text: string])[] {
  const tokens: (readonly [string, string])[] = [];
  let at = 0;
  for (const { 0: found, index, groups = {} } of code.matchAll(TOKEN)) {
    const end = index + found.length;
    if (index > at) tokens.push(['', code.slice(at, index)]);
    const isKey = groups.word !== undefined || (groups.text !== undefined && code.charAt(end) === ':');
    tokens.push([isKey ? 'k' : groups.number === undefined ? 's' : 'n', found]);
    at = end;
  }
  return [...tokens, ['', code.slice(at)]];
}
