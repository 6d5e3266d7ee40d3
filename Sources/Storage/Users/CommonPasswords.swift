/// The commonest passwords of twelve characters and more: those among the 30,000 commonest that zxcvbn lists, and
/// others that people make of the same parts.
enum CommonPasswords {
    /// In small letters.
    static let all = Set(text.split(whereSeparator: \.isWhitespace).map(String.init))

    private static let text = """
        010203040506 0123456789012 012345678910 014702580369 01telemike01 098765432109 102030405060 111222333444555
        112233445566 122333444455555 123123qweqwe 123321456654 123321qweewq 123456654321 123456782000 1234567887654321
        123456789000 12345678900987654321 123456789012 1234567890123 12345678901234 1234567890123456
        1234567890987654321 1234567890qaz 1234567890qw 1234567890qwe 1234567890qwerty 1234567890zzz 123456789101
        123456789123 123456789123456789 1234567892000 12345678987654321 123456789987654321 123456789abc 123456789asd
        123456789qaz 123456789qqq 123456789qwe 123456789qwer 123456789qwerty 123456789zxc 1234567qwertyu 123456qwerty
        1234qwerasdf 1234qwerasdfzxcv 123qwe456rty 123qweasdzxc 123qwerty123 12qw34er56ty 159753456852 1a2s3d4f5g6h
        1q2w3e4r5t6y 1q2w3e4r5t6y7u 1q2w3e4r5t6y7u8i 1q2w3e4r5t6y7u8i9o0p 1qa2ws3ed4rf 1qa2ws3ed4rf5tg 1qaz2wsx3edc
        1qaz2wsx3edc4rfv 1qaz2wsx3edc4rfv5tgb 1qazxsw23edc 1qazxsw23edcvfr4 23176djivanfros 31217221027711
        32615948worms 41d8cd98f00b 4815162342lost 541233432442 59382113kevinp 742617000027 89231243658s 89876065093rax
        987654321012 9876543210123 a1b2c3d4e5f6 a1s2d3f4g5h6 abc123456789 abc123abc123 abcd12345678 abcd1234abcd
        abcdefghijkl abcdefghijklm abcdefghijklmnop abcdefghijklmnopqrstuvwxyz admin1234567 admin12345678
        admin123456789 admin18533362 adminadmin12 adminadminadmin administrator administrator1 administrator123
        alexander123 amadeusptfcor an83546921an13 analyst12345 analytics123 analytics1234 andrewjackie antananarivu
        arsenalfc123 asdfgh123456 asdfghjkl123 asdfghjkl1234 asdfghjklqwertyuiop ashley123456 auckland2010
        autumn2024!! avrillavigne barcelona123 baseball1234 basketball12 batman123456 blink182blink bltynbabrfwbz
        boy4u2ownnyc bpgjldsgjldthnf business1234 businessbabe butterfly123 changeme!123 changeme1234 changeme12345
        changemenow1 charlie12345 chelseafc123 chickenwing101 chocolate123 christopher1 cjdthitycndj combat123654
        company12345 computer1234 contortionist corperfmonsy correcthorsebatterystaple corvette1234 counterstrike
        dashboard123 dashboard1234 database1234 december1234 default12345 defaultpassword devilmaycry4 digitalprodu
        dkflbvbhjdbx dkflbvbhjdyf domainlock2005 dragon123456 elizabeth123 facebook1234 facebook12345 ferrari12345
        finalfantasy fkmnthyfnbdf fktrcfylhjdbx fktrcfylhjdf fktrcfylhjdyf flvbybcnhfnjh football1234 frederiksberg
        fynfyfyfhbde gfhjkmgfhjkm ghbdtnghbdtn ghbdtnrfrltkf ghhh47hj7649 ghjcnjgbpltw ghjcnjgfhjkm ghjcnjghjcnj
        ghjcnjqgfhjkm ghjcnjrdfibyj ghjnbdjcnjzybt gjkysqgbpltw goodmorning1 google123456 greenlantern gtnhjpfdjlcr
        guest1234567 happybirthday happybirthday1 harrypotter1 harrypotter123 hd764nw5d7e1vb1 hedimaptfcor
        helloworld12 helloworld123 helloworld1234 iampurehaha2 ilovejesus123 ilovemyfamily iloveyou1234 iloveyou12345
        iloveyou2024 iloveyoubaby iloveyouforever iloveyousomuch ingodwetrust instagram123 installdevic installsqlst
        internet1234 iseedeadpeople jamesbond007 january123456 jennifer1234 jessica12345 justinbieber leavemealone
        letmein12345 letmein123456 letmeinletmein letmeinplease lhbjkjubz2957704 linkedin1234 liverpool123
        liverpoolfc1 login1234567 lost4815162342 lytghjgtnhjdcr mailcreated5240 manager12345 manchesterunited
        maprchem56458 marketing123 massimiliano master123456 maurolarastefy maytheforcebewithyou merrychristmas
        mevefalkcakk michael12345 michaeljackson minecraft123 minecraft1234 minnesota_hp momsanaladventure
        monkey123456 morganstanley mortalkombat msorcloledbr mustang12345 mypassword123 needforspeed
        nemvxyheqdd5oqxyxyzi networkingpe newpassword1 newpassword123 newproject2004 nhecsyfujkjdt nhfdvfnjkju123
        nhfycajhvths nightcrawler nondriversig november1234 october12345 office123456 olcrackmaster ontheoutside
        opensesame123 p030710p$e4o p@ssw0rd1234 p@ssword1234 paraklast1974 passw0rd1234 password1234 password12345
        password123456 password1password1 passwordpassword passwordstandard peanutbutter playstation1 playstation2
        playstation3 playstation4 pokemon12345 polniypizdec0211 polniypizdec110211 postgres1234 postgrespostgres
        princess1234 ptybnxtvgbjy punksnotdead q1w2e3r4t5y6 q1w2e3r4t5y6u7 q1w2e3r4t5y6u7i8 q1w2e3r4t5y6u7i8o9p0
        qawsedrftgyh qaz123wsx456 qazwsx123456 qazwsxedc123 qazwsxedc1234 qazwsxedcrfv qazwsxedcrfvtgb qazxswedc123
        qazxswedcvfr qwaszxerdfcv qweasd123456 qweasdzxc123 qweasdzxcqwe qwerasdfzxcv qwertasdfgzxcvb qwerty123456
        qwerty12345678 qwerty123456789 qwerty1234567890 qwertyasdfgh qwertyqwerty qwertyqwerty1 qwertyuiop!@#
        qwertyuiop10 qwertyuiop12 qwertyuiop123 qwertyuiop1234 qwertyuiop12345 qwertyuiopas qwertyuiopasdfghjkl
        qwertyytrewq realmadrid123 residentevil rfnthbyf1988 samsung12345 samsung123456 sanfrancisco saun24865709
        secret123456 secretsecret seemnemaailm september123 shadow123456 sojdlg123aljg sonnenschein sonyericsson
        specialinsta spiderman123 spring2024!! startrek1234 starwars1234 stickdaddy77 stratocaster summer123456
        summer2024!! sunshine1234 superman1234 supersecret1 supersecret123 systemofadown temp12345678 temppassword
        test12345678 testing12345 testpassword thecakeisalie thequickbrownfox ticketmaster topsecret123 tributary123
        tributary1234 tributarytributary trustno1trustno1 vanyarespekt vfhbyfvfhbyf vfrcbvvfrcbv vfvfvskfhfve
        victoria1234 vladimirovna warhammer40k wazzkaprivet websolutions websolutionssu webuivalidat weihnachtsbau
        weihnachtsbaum welcome12345 welcome123456 welcome2024! welcome2025! welcome2026! whatever1234 whosyourdaddy
        winter2024!! xxxp455w0rd5 yamaha123456 z1x2c3v4b5n6m7 zaq12wsxcde3 zaq1xsw2cde3 zaqwsxcderfv zcfvfzkexifz
        zqjphsyf6ctifgu zxcasdqwe123 zxcvbn123456 zxcvbnm12345 zxcvbnm123456789 zxcvbnmasdfghjkl
        """
}
