import { h, render } from 'preact';
import { App, findDeployment } from './app.ts';
import { startRefreshing } from './refresh.ts';

const root = document.getElementById('app');
if (root) render(h(App, null), root);
startRefreshing();
findDeployment().catch(() => {});
