import { render } from 'preact';
import { App, findDeployment } from './app.tsx';
import { keys } from './data/keys.ts';
import { startRefreshing } from './data/refresh.ts';
import { returnToSession } from './data/session.ts';
import { activity, animals, orders } from './data/store.ts';
import { startNavigation } from './navigation.ts';
import { route } from './route.ts';
import { ignoreSecondClicks } from './second-click.ts';

void returnToSession();
const root = document.getElementById('app');
if (root) render(<App />, root);
startNavigation(() => {
  const { view } = route.peek();
  const lists = { orders, activity, keys } as const;
  const list = view in lists ? lists[view as keyof typeof lists] : animals;
  return list.items.peek()?.length;
});
startRefreshing();
ignoreSecondClicks();
findDeployment().catch(() => {});
