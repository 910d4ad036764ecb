//! Where a test takes place: a server, a driver and a browser, all of which end with the test.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, mpsc};
use std::time::{Duration, Instant};

use fantoccini::elements::Element;
use fantoccini::{Client, ClientBuilder, Locator};
use hyper_util::client::legacy::connect::HttpConnector;
use puabi_server::{Limits, Mode, Options, Server};
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::sync::{Mutex, MutexGuard};

/// Two browsers at once would keep each other waiting.
static TURN: Mutex<()> = Mutex::const_new(());
/// How long anything may take to appear; games are solved meanwhile.
const PATIENCE: Duration = Duration::from_secs(30);

/// How often chromedriver is started until it finds a free port.
const STARTS: usize = 5;

/// A size of the window, in pixels.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Screen {
    width: u32,
    height: u32,
}

/// A screen on a desk.
pub(crate) const DESK: Screen = Screen { width: 1280, height: 860 };
/// A small phone, held upright.
pub(crate) const SMALL_PHONE: Screen = Screen { width: 360, height: 640 };
/// A phone, held upright.
pub(crate) const PHONE: Screen = Screen { width: 390, height: 844 };

/// A browser that looks at a server.
pub(crate) struct Browser {
    pub(crate) client: Client,
    /// The address of the page, with a slash at its end.
    pub(crate) origin: String,
    driver: Driver,
    data: TempDir,
    _turn: MutexGuard<'static, ()>,
}

impl Browser {
    /// Opens a browser at a server with an empty data directory; nothing moves or sounds by itself.
    pub(crate) async fn open(screen: Screen) -> Self {
        Self::open_at(screen, Mode::Mine).await
    }

    /// Opens a browser in the same way, at a server of this mode.
    pub(crate) async fn open_at(screen: Screen, mode: Mode) -> Self {
        let turn = TURN.lock().await;
        let data = tempfile::tempdir().unwrap();
        let origin = serve(&data, mode);
        let driver = Driver::start();
        let client = driver.open_client(screen).await;
        let browser = Self { client, origin, driver, data, _turn: turn };
        // This address has the same origin but is not the page itself, which would keep its own files once it was opened.
        browser.client.goto(&format!("{}healthz", browser.origin)).await.unwrap();
        browser.set(json!({ "pace": 0 })).await;
        browser
    }

    /// Sets what a person may choose, before the page is opened; nothing moves or sounds unless that is chosen here.
    pub(crate) async fn set(&self, settings: Value) {
        let script = "const settings = { animation: false, sound: false, ...arguments[0] }; \
                      localStorage.setItem('puabi.settings', JSON.stringify(settings))";
        self.client.execute(script, vec![settings]).await.unwrap();
    }

    /// Keeps a rule file, as the person who runs the server does.
    pub(crate) fn keep(&self, name: &str, toml: &str) {
        let folder = self.data.path().join("rules");
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join(format!("{name}.toml")), toml).unwrap();
    }

    /// Opens a screen of the page, as by a link from elsewhere.
    pub(crate) async fn visit(&self, screen: &str) {
        self.client.goto("about:blank").await.unwrap();
        self.client.goto(&format!("{}#/{screen}", self.origin)).await.unwrap();
        self.find("main > :not(.loading)").await;
    }

    /// Waits for an element.
    pub(crate) async fn find(&self, css: &str) -> Element {
        let found = self.client.wait().at_most(PATIENCE).for_element(Locator::Css(css)).await;
        found.unwrap_or_else(|error| panic!("no element {css}: {error}"))
    }

    /// Clicks an element as soon as it is there. Clicks again, as a person would, if the element moved away meanwhile and took no
    /// click.
    pub(crate) async fn click(&self, css: &str) {
        let begun = Instant::now();
        while let Err(error) = self.find(css).await.click().await {
            let has_moved = error.is_stale_element_reference()
                || error.is_element_not_interactable()
                || error.to_string().contains("element click intercepted");
            assert!(has_moved && begun.elapsed() < PATIENCE, "{css} cannot be clicked: {error}");
            tokio::time::sleep(Duration::from_millis(30)).await;
        }
    }

    /// Waits until an element's text contains `wanted`.
    pub(crate) async fn wait_for_text(&self, css: &str, wanted: &str) {
        let script = "return document.querySelector(arguments[0])?.textContent.includes(arguments[1]) ?? false";
        self.wait_for(script, vec![json!(css), json!(wanted)]).await;
    }

    /// Waits until a script returns true.
    pub(crate) async fn wait_for(&self, script: &str, arguments: Vec<Value>) {
        let wait = async {
            while self.client.execute(script, arguments.clone()).await.unwrap() != json!(true) {
                tokio::time::sleep(Duration::from_millis(30)).await;
            }
        };
        let waited = tokio::time::timeout(PATIENCE, wait).await;
        waited.unwrap_or_else(|_| panic!("{script} never became true of {arguments:?}"));
    }

    /// Runs a script and returns what it returns.
    pub(crate) async fn run(&self, script: &str) -> Value {
        self.client.execute(script, Vec::new()).await.unwrap()
    }

    /// Asks the API, as the page would.
    pub(crate) async fn ask(&self, method: &str, path: &str, body: &Value) -> Value {
        let script = "const [method, path, body, done] = arguments; \
                      const headers = { 'content-type': 'application/json' }; \
                      fetch(path, method === 'GET' ? {} : { method, headers, body }) \
                          .then((answer) => answer.json()).then(done, (error) => done(String(error)))";
        let arguments = vec![json!(method), json!(path), json!(body.to_string())];
        self.client.execute_async(script, arguments).await.unwrap()
    }

    /// Begins a game and returns its number.
    pub(crate) async fn begin(&self, game: &Value) -> i64 {
        let begun = self.ask("POST", "/api/games", game).await;
        begun["id"].as_i64().unwrap_or_else(|| panic!("no game: {begun}"))
    }

    /// Ends the test.
    pub(crate) async fn close(self) {
        self.client.clone().close().await.unwrap();
        drop(self.driver);
    }
}

/// Serves on a free port until the tests end, and returns the address of the page.
fn serve(data: &TempDir, mode: Mode) -> String {
    let options = Options {
        address: ([127, 0, 0, 1], 0).into(),
        data: data.path().to_owned(),
        names: Vec::new(),
        solve: None,
        // 8 GiB: enough for all games that the tests solve, and too little for `skiriuk`.
        memory: || Some(1 << 33),
        mode,
        proxy: None,
        limits: Limits::of(mode),
        hosted: Arc::default(),
    };
    let (sender, receiver) = mpsc::channel();
    // The server has a runtime of its own, which must not begin within that of the test.
    std::thread::spawn(move || {
        let server = Server::bind(&options).unwrap();
        sender.send(format!("http://{}/", server.address().unwrap())).unwrap();
        server.run()
    });
    receiver.recv().unwrap()
}

/// A chromedriver, ended with its browser when it is dropped.
struct Driver {
    process: Child,
    url: String,
    profile: TempDir,
}

impl Driver {
    fn start() -> Self {
        let started = (0..STARTS).find_map(|_| Self::try_start());
        started.expect("chromedriver tells its port")
    }

    /// Starts chromedriver; returns `None` if another process has taken the port that it chose.
    fn try_start() -> Option<Self> {
        let mut process = Command::new("chromedriver")
            .arg("--port=0")
            .stdout(Stdio::piped())
            .spawn()
            .expect("chromedriver is on the path: apt-get install chromium chromium-driver");
        let mut lines =
            BufReader::new(process.stdout.take().unwrap()).lines().map_while(Result::ok);
        let port = lines.find_map(|line| {
            let (_, port) = line.split_once("started successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        let Some(port) = port else {
            let _ = process.wait();
            return None;
        };
        let url = format!("http://127.0.0.1:{port}");
        // The later output must be read by something.
        std::thread::spawn(move || lines.for_each(drop));
        Some(Self { process, url, profile: tempfile::tempdir().unwrap() })
    }

    async fn open_client(&self, Screen { width, height }: Screen) -> Client {
        let profile = format!("--user-data-dir={}", self.profile.path().display());
        let arguments = [
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &profile,
        ];
        let device = json!({ "deviceMetrics": { "width": width, "height": height, "pixelRatio": 1.0, "touch": false } });
        let options = json!({ "args": arguments, "mobileEmulation": device });
        let capabilities = json!({ "goog:chromeOptions": options });
        let Value::Object(capabilities) = capabilities else {
            unreachable!("written as an object")
        };
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder
            .capabilities(capabilities)
            .connect(&self.url)
            .await
            .expect("chromedriver starts chromium")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // Chromium ends with the driver that has started it.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
