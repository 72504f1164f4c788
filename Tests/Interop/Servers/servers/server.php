<?php
// Reads forms with PHP. Usage: php -S 127.0.0.1:PORT server.php
$parts = [];
foreach ($_POST as $name => $value) {
    $parts[] = ['name' => (string) $name, 'filename' => null, 'type' => null, 'content' => base64_encode($value)];
}
foreach ($_FILES as $name => $file) {
    $content = $file['error'] === UPLOAD_ERR_OK ? file_get_contents($file['tmp_name']) : '';
    $parts[] = [
        'name' => (string) $name,
        'filename' => $file['name'],
        'type' => $file['type'],
        'content' => base64_encode($content),
    ];
}
header('Content-Type: application/json');
echo json_encode(['version' => PHP_VERSION, 'parts' => $parts], JSON_INVALID_UTF8_SUBSTITUTE);
